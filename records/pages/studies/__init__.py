"""Pages of studies: the lists, the page of a study, and the forms for its owner."""
