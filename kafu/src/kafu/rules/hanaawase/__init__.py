"""三人花合わせ (hana-awase for three)."""
