"""The codes of broken rules, and the list of all codes of a verdict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kafu.notation import codes as reading
from kafu.notation.faults import Code
from kafu.rules import notebook_codes, sheet_codes
from kafu.rules.sentences import RuleCode

MONTH_DUE: Final = RuleCode(
    "month-not-due",
    "month {month} is written where month {due} is due",
    "{due}月の番に{month}月とあります",
)
GAME_OVER: Final = RuleCode(
    "game-over", "a deal after the end of the game", "対局が終わった後に月があります"
)
GAME_SHORT: Final = RuleCode(
    "game-too-short",
    "the record stops before the end of the game, without a Termination tag that says so",
    "対局の途中で記録が終わっています(Termination タグがありません)",
)
DEALER_DUE: Final = RuleCode(
    "dealer-not-due",
    "{seat:seat} deals where {due:seat} is due",
    "{due:seat}が配るはずが{seat:seat}とあります",
)
NO_PLACE: Final = RuleCode(
    "no-place", "{statement} has no place here", "{statement} はここでは使えません"
)
DRAW_WRONG: Final = RuleCode(
    "draw-wrong",
    "seat draw, row {row}: {seat:seat} draws {card:card}, but only players who drew the same month"
    " draw again",
    "場所決めの{row}回目: {seat:seat}の {card:card}: 引き直すのは同じ月を引いた人だけです",
    "C7",
)
DRAW_TWICE: Final = RuleCode(
    "draw-card-twice",
    "seat draw, row {row}: {seat:seat} draws {card:card}, which is drawn already",
    "場所決めの{row}回目: {seat:seat}の{card:card}はすでに引かれています",
    "C7, K1",
)
DRAW_MISSING: Final = RuleCode(
    "draw-card-missing",
    "seat draw, row {row}: {seats:seat} must draw too",
    "場所決めの{row}回目: {seats:seat}も引きます",
    "C7",
)
DRAW_AGAIN: Final = RuleCode(
    "draw-again",
    "seat draw, row {row}: {card:card} of {seat:seat} is of the month of {last:card} of"
    " {other:seat}: they draw again",
    "場所決めの{row}回目: {seat:seat}の{card:card}は{other:seat}の{last:card}と同じ月なので"
    "引き直します",
    "C7",
)
DRAW_SEATS: Final = RuleCode(
    "draw-seats",
    "seat draw, row {row}: {card:card} puts {seat:seat} where {due:seat} sits",
    "場所決めの{row}回目: {card:card}を引いた{seat:seat}の席は{due:seat}のはずです",
    "C7, H25",
)
SPLIT_WRONG: Final = RuleCode(
    "split-wrong",
    "split: expected the eight field cards, four to each player",
    "一札: 場札八枚を四枚ずつ分けます",
    "K1",
)
HAND_MISSING: Final = RuleCode(
    "hand-missing", "the hand of {seat:seat} is missing", "{seat:seat}の手札がありません"
)
HAND_SIZE: Final = RuleCode(
    "hand-size",
    "the hand of {seat:seat} has {count} cards, not {due}",
    "{seat:seat}の手札は{due}枚のはずが{count}枚あります",
)
FIELD_MISSING: Final = RuleCode("field-missing", "the field is missing", "場札がありません")
FIELD_SIZE: Final = RuleCode(
    "field-size", "the field has {count} cards, not {due}", "場札は{due}枚のはずが{count}枚あります"
)
STOCK_SIZE: Final = RuleCode(
    "stock-size",
    "the draw pile has {count} cards, not {due}",
    "山札は{due}枚のはずが{count}枚あります",
)
STOCK_LACKS: Final = RuleCode(
    "stock-lacks",
    "the draw pile has no room for these cards of players who are out: {cards:card}",
    "下りた人の手札は山札に入るはずが、山札にありません: {cards:card}",
    "B5, T3",
)
CARD_TWICE: Final = RuleCode(
    "card-twice", "{card:card} occurs twice in the deal", "{card:card}が二枚あります"
)
CARD_ALIEN: Final = RuleCode(
    "card-not-in-pack",
    "{card:card} is not in this game's pack",
    "{card:card}はこの種目では使いません",
)
REDEAL_DUE: Final = RuleCode(
    "redeal-due",
    "the month must be dealt again: too many cards of one month: {cards:card}",
    "同月札が多すぎるため配り直しです: {cards:card}",
    "K3, T2",
)
REDEAL_CALLED: Final = RuleCode(
    "redeal-due-by-show",
    "{yaku:yaku} is shown: the month must be dealt again",
    "{yaku:yaku}が公開されたので配り直しです",
    "A1",
)
REDEAL_GROUNDLESS: Final = RuleCode(
    "redeal-groundless",
    "redeal {reason}: neither the field nor a shown hand is a reason for it",
    "redeal {reason}: 場にも公開札にもその理由がありません",
    "K3, A1, T2",
)
BLIND_LATE: Final = RuleCode(
    "blind-not-possible",
    "{seat:seat} goes in blind, but only the dealer, {due:seat}, can, before any bid",
    "みずてんは親の{due:seat}だけが最初に宣言できます({seat:seat}はできません)",
    "B3, B11",
)
BID_DUE: Final = RuleCode(
    "bid-due",
    "{seat:seat} has yet to say whether they go in",
    "{seat:seat}の出降りの番です",
    "B3, T3",
)
BID_CLOSED: Final = RuleCode(
    "bid-closed",
    "{seat:seat} bids, but the players are settled: {players:seat}",
    "出るのは{players:seat}に決まっており、{seat:seat}の出降りはありません",
    "B3, T3",
)
BID_TURN: Final = RuleCode(
    "bid-out-of-turn",
    "{seat:seat} bids where {due:seat} is due",
    "出降りは{due:seat}の番のはずが{seat:seat}とあります",
    "B3, T3",
)
SEAT_OUT: Final = RuleCode(
    "seat-is-out",
    "{seat:seat} is out and takes no part in this deal",
    "{seat:seat}は下りており、この月には加わりません",
    "B3, T3",
)
SWAP_DEALER: Final = RuleCode(
    "swap-by-dealer",
    "{seat:seat} is the dealer: only the others can take the dealer's hand",
    "{seat:seat}は親です。親手をもらえるのは親以外の人です",
    "T4",
)
SWAP_TWICE: Final = RuleCode(
    "swap-twice",
    "{seat:seat} has taken the dealer's hand once already",
    "{seat:seat}はすでに一度親手をもらっています",
    "T4",
)
SWAP_LATE: Final = RuleCode(
    "swap-too-late",
    "the dealer's hand can be taken only before the first bid or declaration",
    "親手をもらえるのは手札を見る前だけです",
    "T4",
)
BLANK_WRONG: Final = RuleCode(
    "blank-not-in-pack",
    "the blank card is used by seven players only, not by {players}",
    "白札を使うのは七人のときだけです({players}人)",
    "T3",
)
BLANK_MISSING: Final = RuleCode(
    "blank-missing",
    "seven players: one hand must have the blank card and six known cards, the field",
    "七人のときは白札と場札になる六枚を持つ手札が必要です",
    "T3",
)
SHOW_FALSE: Final = RuleCode(
    "show-false",
    "{seat:seat} does not have {yaku:yaku}",
    "{seat:seat}に{yaku:yaku}はできていません",
)
SHOW_CARDS: Final = RuleCode(
    "show-cards",
    "{seat:seat}: wrong cards laid open: {cards:card}",
    "{seat:seat}の公開した札が違います: {cards:card}",
    "{ruling}",
)
SHOW_TWICE: Final = RuleCode(
    "show-twice", "{seat:seat} declares twice", "{seat:seat}が二度宣言しています"
)
SHOW_LOWER: Final = RuleCode(
    "show-lower",
    "{seat:seat}: the yaku of the hand is {due:yaku}, not {yaku:yaku}",
    "{seat:seat}の手札の役は{yaku:yaku}ではなく{due:yaku}です",
    "{ruling}",
)
SAGE_LAST: Final = RuleCode(
    "sage-on-last-card",
    "sage is not possible on the last hand card",
    "最後の手札では下げはできません",
    "{ruling}",
)
SAGE_REACH: Final = RuleCode(
    "sage-without-reach",
    "sage is not possible: no other yaku is within reach",
    "ほかの出来役の可能性がないため下げはできません",
    "B8",
)
SAGE_TAKEN: Final = RuleCode(
    "sage-while-another",
    "sage is not possible while {seat:seat} is in sage",
    "{seat:seat}が下げをしている間は下げはできません",
    "H7",
)
SHOW_RIGHT: Final = RuleCode(
    "void-show-of-right",
    "the declaration of {seat:seat} ({yaku:yaku}) is right and cannot be void",
    "{seat:seat}の宣言({yaku:yaku})は正しいので取り消せません",
    "H22",
)
VOID_SHOW_NOTHING: Final = RuleCode(
    "void-show-of-nothing", "{seat:seat} has declared nothing", "{seat:seat}は何も宣言していません"
)
VOID_SHOW_TWICE: Final = RuleCode(
    "void-show-twice",
    "the declaration of {seat:seat} is struck out already",
    "{seat:seat}の宣言はすでに取り消されています",
    "H22",
)
NIMAI_LAST: Final = RuleCode(
    "nimai-on-last-turn",
    "nimai is not possible: the last card of the draw pile was turned",
    "山札の最後の一枚なので、二枚めくりはできません",
    "H25",
)
EXEMPTION_FALSE: Final = RuleCode(
    "exemption-false", "the claim of exemption is not valid", "免除にはなりません", "H14"
)
TORIKESHI_NOTHING: Final = RuleCode(
    "torikeshi-without-sage", "{seat:seat} is not in sage", "{seat:seat}は下げをしていません", "H10"
)
TORIKESHI_EARLY: Final = RuleCode(
    "torikeshi-too-early",
    "{seat:seat} cannot cancel sage yet",
    "{seat:seat}はまだ下げを取り消せません",
    "H10, H22",
)
TORIKESHI_LAST: Final = RuleCode(
    "torikeshi-on-last-card",
    "{seat:seat} can cancel sage only in their own turn, with two hand cards or more",
    "下げを取り消せるのは、{seat:seat}の手番で手札が2枚以上あるときだけです",
    "B15",
)
DEAL_OVER: Final = RuleCode(
    "deal-over", "this is written after the end of the deal", "月が終わった後に書かれています"
)
DEAL_SHORT: Final = RuleCode(
    "deal-too-short",
    "the deal stops before its end: a turn of {seat:seat} is due",
    "月の途中で終わっています: {seat:seat}の番",
)
WRONG_ROUND: Final = RuleCode(
    "wrong-round", "round {round} where round {due} is due", "{due}巡目のはずが{round}とあります"
)
WRONG_SEAT: Final = RuleCode(
    "wrong-seat",
    "{seat:seat} moves where {due:seat} is due",
    "{due:seat}の番に{seat:seat}とあります",
)
NOT_IN_HAND: Final = RuleCode(
    "not-in-hand",
    "{card:card} is not in the hand of {seat:seat}",
    "{card:card}は{seat:seat}の手札にありません",
)
WRONG_STOCK: Final = RuleCode(
    "wrong-stock-card",
    "the next card of the draw pile is {due:card}, not {card:card}",
    "めくり札は{due:card}のはずが{card:card}とあります",
)
NOT_IN_STOCK: Final = RuleCode(
    "not-in-stock",
    "{card:card} cannot be in the draw pile: it is known to be elsewhere",
    "{card:card}は山札にあるはずがありません",
)
STOCK_MISSING: Final = RuleCode(
    "stock-left-out", "the turn lacks the card from the draw pile", "山札からめくった札がありません"
)
CAPTURE_NOTHING: Final = RuleCode(
    "capture-from-nothing",
    "{card:card} has no match on the field and cannot capture {take:card}",
    "{card:card}で取れる札は場になく、{take:card}は取れません",
)
CAPTURE_WRONG: Final = RuleCode(
    "capture-wrong",
    "{card:card} may capture {due:card}, not {take:card}",
    "{card:card}で取れるのは{due:card}で、{take:card}ではありません",
)
CAPTURE_MISSING: Final = RuleCode(
    "capture-missing",
    "{card:card} must capture: {due:card}",
    "{card:card}は{due:card}を取らなければなりません",
)
DECISION_DUE: Final = RuleCode(
    "decision-due", "a decision is due: {due:word}", "宣言が必要です: {due:word}"
)
DECISION_NOT_DUE: Final = RuleCode(
    "decision-not-due",
    "{word:word} is written, but no decision is due",
    "宣言はできないのに {word:word} とあります",
)
DECISION_UNKNOWN: Final = RuleCode(
    "decision-of-other-game",
    "{word:word} is not a decision of this ruleset",
    "{word:word} はこの種目にはありません",
)
DECISION_BARRED: Final = RuleCode(
    "decision-barred",
    "{word:word} is not possible here, only {due:word}",
    "{word:word} はできません ({due:word} のみ)",
)
UNSUPPORTED: Final = RuleCode(
    "unsupported",
    "the game can be read, but this version does not support {rules} yet",
    "読めましたが、この版は {rules} をまだ検証できません",
)
CAPTURE_LEFT_OUT: Final = RuleCode(
    "capture-left-out",
    "{card:card} captures {take:card}, which was not written",
    "{card:card}で{take:card}を取ることが書かれていません",
)
NOT_CHECKABLE: Final = RuleCode(
    "not-checkable",
    "{what:claim} of {seat:seat} cannot be checked: not all cards of the hand are known",
    "{seat:seat}の{what:claim}は、手札に不明の札があるため確かめられません",
    "C9",
)
NOT_CHECKED: Final = RuleCode(
    "claim-not-checked",
    "the claim ({where:claim}) cannot be checked: the game did not end",
    "対局が終わっていないため確かめられません（{where:claim}）",
)
BAD_LOG: Final = RuleCode(
    "bad-foreign-log",
    "not a complete {format}: {where} should be {due}",
    "{format}として読めません: {where} は {due} のはずです",
)
INCOMPLETE_LOG: Final = RuleCode(
    "incomplete-foreign-log",
    "this {format} is not complete: {where} is {found}, and should be {due}",
    "この{format}は欠けています: {where} は {found} ですが、{due} が必要です",
)
LOG_CUT: Final = RuleCode(
    "foreign-log-cut",
    "read as far as {where}, which is {found} and should be {due}",
    "{where} が {found} のため（必要なもの: {due}）、その手前までを読みました",
)
DEAL_REBUILT: Final = RuleCode(
    "foreign-log-deal",
    "{where} is not the whole deal: what was played and turned was added",
    "{where} に配札がそろっていないため、出した札とめくった札で補いました",
)
SKIPPED_LINES: Final = RuleCode(
    "foreign-log-skipped",
    "{count} lines of this {format} are of no known kind and were skipped; the first is “{found}”",
    "この{format}の知らない種類の行 {count} 行を飛ばしました。最初の行:「{found}」",
)
# --- cards by their names (kafu.naming) ---
NO_CARD_NAME: Final = Code(
    "no-card-name",
    "no card is called {text}",
    "{text} という札はありません",
)
CARD_NAME_USED: Final = RuleCode(
    "card-name-used",
    "every card of this name lies somewhere already: {cards:card}",
    "この名の札は、もうすべてほかの場所にあります: {cards:card}",
)
CARD_NAMES: Final = Code(
    "card-names",
    "the cards are written by their names: they were read as letters",
    "札が名前で書かれているので、文字に直して読みました",
)

#: Every code of a verdict by its id: those of reading, the rules, score sheets and notebooks.
CODES: Final[Mapping[str, Code]] = {
    code.id: code
    for module in (vars(reading), globals(), vars(sheet_codes), vars(notebook_codes))
    for code in module.values()
    if isinstance(code, Code)
}
