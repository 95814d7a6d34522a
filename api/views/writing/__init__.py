"""Games that are being written down: card by card, and as score sheets. Nothing is stored."""
