"""What `import kafu` offers: reading, judging, playing and counting in a few words."""
