"""What keeps an archive running: backup, rebuild, comparison, health, monitoring."""
