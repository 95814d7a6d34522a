"""Codes of what breaks a rule, and the list of all codes a verdict can carry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kafu.notation import codes as reading
from kafu.notation.faults import Code

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
    "seat draw, row {row}: seat {seat} draws {card}, but only those of one month draw again (C7)",
    "場所決めの{row}回目: {seat}番の {card}: 引き直すのは同じ月を引いた人だけです (C7)",
)
DRAW_TWICE: Final = Code(
    "draw-card-twice",
    "seat draw, row {row}: seat {seat} draws {card}, which is drawn already (C7, K1)",
    "場所決めの{row}回目: {seat}番の {card} はすでに引かれています (C7, K1)",
)
DRAW_MISSING: Final = Code(
    "draw-card-missing",
    "seat draw, row {row}: seat {seats} draws in it too (C7)",
    "場所決めの{row}回目: {seats}番も引きます (C7)",
)
DRAW_AGAIN: Final = Code(
    "draw-again",
    "seat draw, row {row}: {card} of seat {seat} is of the month of {last} of seat {other}: they"
    " draw again (C7)",
    "場所決めの{row}回目: {seat}番の {card} は{other}番の {last} と同じ月なので引き直します (C7)",
)
DRAW_SEATS: Final = Code(
    "draw-seats",
    "seat draw, row {row}: {card} puts seat {seat} where seat {due} sits (C7, H25)",
    "場所決めの{row}回目: {card} を引いた{seat}番の席は{due}番のはずです (C7, H25)",
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
STOCK_LACKS: Final = Code(
    "stock-lacks",
    "cards of those who are out went into the stock, but it has no room for them: {cards} (B5, T3)",
    "下りた人の手札は山札に入るはずが、山札にありません: {cards} (B5, T3)",
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
    "the month must be dealt again: too many cards of one month ({cards}; K3, T2)",
    "同月札 ({cards}) が多すぎるため配り直しです (K3, T2)",
)
REDEAL_CALLED: Final = Code(
    "redeal-due-by-show",
    "{yaku} is shown: the month must be dealt again (A1)",
    "{yaku}が公開されたので配り直しです (A1)",
)
REDEAL_GROUNDLESS: Final = Code(
    "redeal-groundless",
    "no ground for redeal {reason} on the table (K3, A1, T2)",
    "redeal {reason} の理由が場にも公開札にもありません (K3, A1, T2)",
)
BLIND_LATE: Final = Code(
    "blind-not-possible",
    "seat {seat} goes in blind, but only the dealer, seat {due}, can, before any bid (B3, B11)",
    "みずてんは親の{due}番だけが最初に宣言できます({seat}番はできません) (B3, B11)",
)
BID_DUE: Final = Code(
    "bid-due",
    "seat {seat} has yet to say whether it goes in (B3, T3)",
    "{seat}番の出降りの番です (B3, T3)",
)
BID_CLOSED: Final = Code(
    "bid-closed",
    "seat {seat} bids, but it is settled who plays: seats {players} (B3, T3)",
    "競技者は{players}番に決まっており、{seat}番の出降りはありません (B3, T3)",
)
BID_TURN: Final = Code(
    "bid-out-of-turn",
    "seat {seat} bids where seat {due} is due (B3, T3)",
    "出降りは{due}番の番のはずが{seat}番とあります (B3, T3)",
)
SEAT_OUT: Final = Code(
    "seat-is-out",
    "seat {seat} is out and takes no part in this deal (B3, T3)",
    "{seat}番は下りており、この月には加わりません (B3, T3)",
)
SWAP_DEALER: Final = Code(
    "swap-by-dealer",
    "seat {seat} is the dealer: only the others can take the dealer's hand (T4)",
    "{seat}番は親です。親手をもらえるのは親以外の人です (T4)",
)
SWAP_TWICE: Final = Code(
    "swap-twice",
    "seat {seat} has taken the dealer's hand once already (T4)",
    "{seat}番はすでに一度親手をもらっています (T4)",
)
SWAP_LATE: Final = Code(
    "swap-too-late",
    "the dealer's hand can be taken only before the first bid or declaration (T4)",
    "親手をもらえるのは手札を見る前だけです (T4)",
)
BLANK_WRONG: Final = Code(
    "blank-not-in-pack",
    "the blank card is used by seven players only, not by {players} (T3)",
    "白札を使うのは七人のときだけです({players}人) (T3)",
)
BLANK_MISSING: Final = Code(
    "blank-missing",
    "seven players: no hand is known to hold the blank card and six others, the field (T3)",
    "七人のときは白札と場札になる六枚を持つ手札が必要です (T3)",
)
SHOW_FALSE: Final = Code(
    "show-false", "seat {seat} has not {yaku}", "{seat}番に{yaku}はできていません"
)
SHOW_CARDS: Final = Code(
    "show-cards",
    "seat {seat}: wrong cards laid open: {cards} ({ruling})",
    "{seat}番の公開した札が違います: {cards} ({ruling})",
)
SHOW_TWICE: Final = Code("show-twice", "seat {seat} declares twice", "{seat}番が二度宣言しています")
SHOW_LOWER: Final = Code(
    "show-lower",
    "seat {seat}: {yaku} is not what the hand makes, which is {due} ({ruling})",
    "{seat}番の手札の役は{yaku}ではなく{due}です ({ruling})",
)
SAGE_LAST: Final = Code(
    "sage-on-last-card",
    "sage is not possible on the last hand card ({ruling})",
    "最後の手札では下げはできません ({ruling})",
)
SAGE_REACH: Final = Code(
    "sage-without-reach",
    "sage is not possible: no other yaku is within reach (B8)",
    "ほかの出来役の可能性がないため下げはできません (B8)",
)
SAGE_TAKEN: Final = Code(
    "sage-while-another",
    "sage is not possible while seat {seat} is in sage (H7)",
    "{seat}番が下げをしている間は下げはできません (H7)",
)
SHOW_RIGHT: Final = Code(
    "void-show-of-right",
    "the declaration of seat {seat} ({yaku}) is right and can't be void (H22)",
    "{seat}番の宣言({yaku})は正しいので取り消せません (H22)",
)
VOID_SHOW_NOTHING: Final = Code(
    "void-show-of-nothing", "seat {seat} has declared nothing", "{seat}番は何も宣言していません"
)
VOID_SHOW_TWICE: Final = Code(
    "void-show-twice",
    "the declaration of seat {seat} is struck out already (H22)",
    "{seat}番の宣言はすでに取り消されています (H22)",
)
NIMAI_LAST: Final = Code(
    "nimai-on-last-turn",
    "nimai is not possible: the last card of the stock was turned (H25)",
    "山札の最後の一枚なので、二枚めくりはできません (H25)",
)
EXEMPTION_FALSE: Final = Code(
    "exemption-false", "the claim of exemption does not hold (H14)", "免除にはなりません (H14)"
)
TORIKESHI_NOTHING: Final = Code(
    "torikeshi-without-sage",
    "seat {seat} is not in sage (H10)",
    "{seat}番は下げをしていません (H10)",
)
TORIKESHI_EARLY: Final = Code(
    "torikeshi-too-early",
    "seat {seat} can't call off its sage yet (H10, H22)",
    "{seat}番はまだ下げを取り消せません (H10, H22)",
)
TORIKESHI_LAST: Final = Code(
    "torikeshi-on-last-card",
    "seat {seat} can call off its sage only in its own turn, with two hand cards or more (B15)",
    "下げを取り消せるのは、{seat}番の手番で手札が2枚以上あるときだけです (B15)",
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
NOT_CHECKABLE: Final = Code(
    "not-checkable",
    "{what} of seat {seat} can't be checked: not all cards of the hand are known (C9)",
    "{seat}番の{what}は、手札に不明の札があるため確かめられません (C9)",
)
NOT_CHECKED: Final = Code(
    "claim-not-checked",
    "the claim ({where}) can't be checked: the game did not end",
    "勝負が終わっていないため確かめられません ({where})",
)

SHEET_LABEL: Final = Code(
    "sheet-label-unknown",
    "{label}: no payment of this game, nor yaku that one player can have together (H24)",
    "{label}: この競技にない支払いか、複合しない役です (H24)",
)
SHEET_SUM: Final = Code(
    "sheet-line-not-zero",
    "{label}: the amounts sum to {sum}, not to zero (C4)",
    "{label}: 授受の合計が 0 にならず {sum} です (C4)",
)
SHEET_MAKER: Final = Code(
    "sheet-maker-unclear",
    "{label}: just one player gets a payment (H24)",
    "{label}: 役代をもらうのは一人だけです (H24)",
)
SHEET_VALUE: Final = Code(
    "sheet-value",
    "{label}: seat {seat} gets {found}, which is not its value in this field grade: {due} (H24)",
    "{label}: {seat}番の {found} はこの場の役代と合いません: {due} (H24)",
)
SHEET_SHARES: Final = Code(
    "sheet-shares",
    "{label}: the other two pay each yaku half and half, or one of them all of it (H24)",
    "{label}: 役代は他の二人が半分ずつか、一人が全部を払います (H24)",
)
SHEET_SHARED: Final = Code(
    "sheet-not-shared",
    "{label}: the other two pay the same (H5, H16, H17)",
    "{label}: 他の二人が同じだけ払います (H5, H16, H17)",
)
SHEET_SOHACHI: Final = Code(
    "sheet-sohachi",
    "sohachi is paid to the dealer, seat {due} (H16)",
    "総八は胴の{due}番がもらいます (H16)",
)
SHEET_POINTS: Final = Code(
    "sheet-points",
    "card points: {found} is no deviation from 88 in this field grade (H17, H18)",
    "取り札の点: {found} はこの場の88点からの浮き沈みになりません (H17, H18)",
)
SHEET_POINTS_TWICE: Final = Code(
    "sheet-points-twice",
    "card points are paid once a month (H17)",
    "取り札の点の授受は月に一度です (H17)",
)
SHEET_BA: Final = Code(
    "sheet-ba",
    "the field grade cannot be {grade} after the month before, only {due} (H1)",
    "前月からみて場は {grade} にならず、{due} のいずれかです (H1)",
)
SHEET_STONE_MISSING: Final = Code(
    "sheet-stone-missing",
    "the stone of month {month} is missing: the next dealer puts one in (H19)",
    "{month}月の月石がありません。次の胴が出します (H19)",
)
SHEET_STONE_SHISO: Final = Code(
    "sheet-stone-of-shiso",
    "no stone is put in for a month that shiso ends (H6)",
    "四三で終わった月の月石は出しません (H6)",
)
SHEET_STONE_WRONG: Final = Code(
    "sheet-stone-wrong",
    "seat {seat} deals, but the stone of the month before is of seat {due} (H25)",
    "前月の月石は{due}番なのに、胴が{seat}番とあります (H25)",
)
SHEET_STONE_DOUBTFUL: Final = Code(
    "sheet-stone-doubtful",
    "the stone is of seat {seat}, but by the payments seat {due} should deal next (H19)",
    "月石は{seat}番ですが、授受からみて次の胴は{due}番のはずです (H19)",
)
SHEET_NOT_STRUCK: Final = Code(
    "sheet-not-struck-out",
    "{label} stands beside a special yaku, which strikes it out (H16)",
    "{label}は特殊役の成立で吹き消しになるはずです (H16)",
)
SHEET_GROUNDLESS: Final = Code(
    "sheet-groundless",
    "{label} of seat {seat}, who has declared no dealt hand that gives it (H15, H17)",
    "{seat}番に{label}がありますが、もとになる手役がありません (H15, H17)",
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
