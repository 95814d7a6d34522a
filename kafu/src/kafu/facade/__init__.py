"""The API of `import kafu`: reading, judging, playing and counting."""
