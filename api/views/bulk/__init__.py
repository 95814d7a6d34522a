"""Resources about many games at a time: changes for mirrors, progress of uploads."""
