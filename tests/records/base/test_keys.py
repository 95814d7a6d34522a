from records.base.keys import ALPHABET, base58, player_key, player_name, random_key, record_key


def test_base58_has_one_width_and_keeps_order() -> None:
    low, high = base58(bytes(8)), base58(b"\xff" * 8)
    assert (len(low), len(high)) == (11, 11)
    assert low < high
    assert base58(bytes(7) + b"\x3a") == "11111111121"
    assert not set("0OIl") & set(ALPHABET)


def test_record_key_depends_on_the_identity_alone() -> None:
    identity = "0123456789abcdef" * 4
    assert record_key(identity) == record_key(identity)
    assert len(record_key(identity)) == 11
    assert len(record_key(identity, 32)) == 44
    assert record_key(identity) != record_key("1" + identity[1:])


def test_random_keys_are_different() -> None:
    assert len({random_key() for _ in range(100)}) == 100


def test_name_composed_or_spaced_otherwise_has_the_same_key() -> None:
    assert player_name(" Aya\u3000 Sato ") == "Aya Sato"
    assert player_key("が") == player_key("か\u3099")
    assert player_key("Aya") == player_key("ＡＹＡ") != player_key("Aye")
    assert len(player_key("Aya")) == 22
