"""What can be learnt from games: where a situation occurred, what each choice was worth."""
