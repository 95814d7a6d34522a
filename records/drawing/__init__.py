"""Drawing of pictures and charts, from texts and numbers: PNG for other sites, SVG for pages."""
