"""Codes of what breaks a rule, and the list of all codes a verdict can carry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from records.kafu import codes as reading
from records.kafu.faults import Code

MONTH_DUE: Final = Code(
    "month-not-due", "month {month} where month {due} is due", "{due}月の番に{month}月とあります"
)
GAME_OVER: Final = Code(
    "game-over", "a deal after the end of the game", "勝負が終わった後に月があります"
)
GAME_SHORT: Final = Code(
    "game-too-short",
    "the record stops before the game does (a Termination tag would say so)",
    "勝負の途中で記録が終わっています(Termination タグがありません)",
)
DEALER_DUE: Final = Code(
    "dealer-not-due",
    "seat {seat} deals where seat {due} is due",
    "胴は{due}番のはずが{seat}番とあります",
)
NO_PLACE: Final = Code(
    "no-place", "{statement} has no place here", "{statement} はここでは使えません"
)
DRAW_WRONG: Final = Code(
    "draw-wrong",
    "seat draw: each seat draws one card a row, rows of equal months are drawn again (K1)",
    "場所決め: 一人一枚ずつ引き、同じ月なら引き直します (K1)",
)
SPLIT_WRONG: Final = Code(
    "split-wrong",
    "split: the eight field cards, four to each player (K1)",
    "一札: 場札八枚を四枚ずつ分けます (K1)",
)
HAND_MISSING: Final = Code(
    "hand-missing", "the hand of seat {seat} is missing", "{seat}番の手札がありません"
)
HAND_SIZE: Final = Code(
    "hand-size",
    "the hand of seat {seat} has {count} cards, not {due}",
    "{seat}番の手札は{due}枚のはずが{count}枚あります",
)
FIELD_MISSING: Final = Code("field-missing", "the field is missing", "場札がありません")
FIELD_SIZE: Final = Code(
    "field-size", "the field has {count} cards, not {due}", "場札は{due}枚のはずが{count}枚あります"
)
STOCK_SIZE: Final = Code(
    "stock-size", "the stock has {count} cards, not {due}", "山札は{due}枚のはずが{count}枚あります"
)
CARD_TWICE: Final = Code(
    "card-twice", "card {card} is twice in the deal", "札 {card} が二枚あります"
)
CARD_ALIEN: Final = Code(
    "card-not-in-pack",
    "card {card} is not in this game's pack",
    "札 {card} はこの競技では使いません",
)
REDEAL_DUE: Final = Code(
    "redeal-due",
    "the month must be dealt again: four cards of a month ({cards})",
    "同月札四枚 ({cards}) のため配り直しです",
)
REDEAL_GROUNDLESS: Final = Code(
    "redeal-groundless", "no ground for redeal {reason}", "redeal {reason} の理由がありません"
)
SHOW_FALSE: Final = Code(
    "show-false", "seat {seat} has not {yaku}", "{seat}番に{yaku}はできていません"
)
SHOW_CARDS: Final = Code(
    "show-cards",
    "seat {seat}: wrong cards laid open ({cards})",
    "{seat}番: 公開した札が違います ({cards})",
)
SHOW_TWICE: Final = Code("show-twice", "seat {seat} declares twice", "{seat}番が二度宣言しています")
SHOW_RIGHT: Final = Code(
    "void-show-of-right",
    "the declaration of seat {seat} ({yaku}) is right and can't be void",
    "{seat}番の宣言({yaku})は正しいので取り消せません",
)
VOID_SHOW_NOTHING: Final = Code(
    "void-show-of-nothing", "seat {seat} has declared nothing", "{seat}番は何も宣言していません"
)
EXEMPTION_FALSE: Final = Code(
    "exemption-false", "the claim of exemption does not hold (H14)", "免除にはなりません (H14)"
)
TORIKESHI_NOTHING: Final = Code(
    "torikeshi-without-sage", "seat {seat} is not in sage", "{seat}番は下げをしていません"
)
TORIKESHI_EARLY: Final = Code(
    "torikeshi-too-early",
    "seat {seat} can't call off its sage yet (H10, H22)",
    "{seat}番はまだ下げを取り消せません (H10, H22)",
)
DEAL_OVER: Final = Code(
    "deal-over", "this stands after the end of the deal", "月が終わった後に書かれています"
)
DEAL_SHORT: Final = Code(
    "deal-too-short",
    "the deal stops before its end: a turn of seat {seat} is due",
    "月の途中で終わっています: {seat}番の番",
)
WRONG_ROUND: Final = Code(
    "wrong-round", "round {round} where round {due} is due", "{due}巡目のはずが{round}とあります"
)
WRONG_SEAT: Final = Code(
    "wrong-seat", "seat {seat} moves where seat {due} is due", "{due}番の番に{seat}番とあります"
)
NOT_IN_HAND: Final = Code(
    "not-in-hand",
    "card {card} is not in the hand of seat {seat}",
    "札 {card} は{seat}番の手札にありません",
)
WRONG_STOCK: Final = Code(
    "wrong-stock-card",
    "the stock turns {due}, not {card}",
    "めくり札は {due} のはずが {card} とあります",
)
NOT_IN_STOCK: Final = Code(
    "not-in-stock",
    "card {card} can't lie in the stock: it is known elsewhere",
    "札 {card} は山札にあるはずがありません",
)
STOCK_MISSING: Final = Code(
    "stock-left-out", "the turn wants a card from the stock", "山札からめくった札がありません"
)
CAPTURE_NOTHING: Final = Code(
    "capture-from-nothing",
    "{card} captures nothing here, not {take}",
    "{card} で取れる札は場にありません ({take})",
)
CAPTURE_WRONG: Final = Code(
    "capture-wrong",
    "{card} may capture {due}, not {take}",
    "{card} で取れるのは {due} ({take} ではありません)",
)
CAPTURE_MISSING: Final = Code(
    "capture-missing", "{card} must capture: {due}", "{card} は {due} を取らなければなりません"
)
DECISION_DUE: Final = Code("decision-due", "a decision is due: {due}", "宣言が必要です: {due}")
DECISION_NOT_DUE: Final = Code(
    "decision-not-due",
    "no decision is due, but {word} is said",
    "宣言はできないのに {word} とあります",
)
DECISION_UNKNOWN: Final = Code(
    "decision-of-other-game",
    "{word} is not said in this game",
    "{word} はこの競技にはありません",
)
DECISION_BARRED: Final = Code(
    "decision-barred", "{word} is not possible here, only {due}", "{word} はできません ({due} のみ)"
)
UNSUPPORTED: Final = Code(
    "unsupported",
    "good Kafu, but this version does not play {rules} yet",
    "読めたが、この版は {rules} をまだ検証できません",
)
CAPTURE_LEFT_OUT: Final = Code(
    "capture-left-out",
    "{card} captures {take}, which was not written",
    "{card} で {take} を取ることが書かれていません",
)
ROUND_LEFT_OUT: Final = Code(
    "round-left-out",
    "the number of round {due} is not written",
    "{due}巡目の番号が書かれていません",
)
NOT_CHECKED: Final = Code(
    "claim-not-checked",
    "the claim ({where}) can't be checked: the game did not end",
    "勝負が終わっていないため確かめられません ({where})",
)

BAD_LOG: Final = Code(
    "bad-foreign-log",
    "not a whole {format}: {where} should be {due}",
    "{format}として読めません: {where} は {due} のはずです",
)

#: The closed list: every code by its id, those of reading first.
CODES: Final[Mapping[str, Code]] = {
    code.id: code
    for code in (*vars(reading).values(), *globals().values())
    if isinstance(code, Code)
}
