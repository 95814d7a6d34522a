"""What people keep of steps and say at them."""
