"""Pages of studies: lists, the page of a study, and the forms for the owner."""
