"""The codes of errors on a score sheet, by the readings of sheets (S1–S11) and H24."""

from __future__ import annotations

from typing import Final

from kafu.rules.sentences import RuleCode

SHEET_LABEL: Final = RuleCode(
    "sheet-label-unknown",
    "{label:yaku}: neither a payment of this ruleset nor yaku that one player can have together",
    "{label:yaku}: この種目にない支払いか、複合しない役です",
    "H24, S1",
)
SHEET_SUM: Final = RuleCode(
    "sheet-line-not-zero",
    "{label:yaku}: the amounts sum to {sum}, not to zero",
    "{label:yaku}: 授受の合計が 0 にならず {sum} です",
    "C4",
)
SHEET_SUM_OF_BGA: Final = RuleCode(
    "sheet-line-as-on-bga",
    "{label:yaku}: the amounts sum to {sum}, not to zero; BGA shows a payment of 5 mon as"
    " −1貫7文, which is written -5 here, for the minus covers kan and mon",
    "{label:yaku}: 授受の合計が 0 にならず {sum} です。"
    "BGA では 5 文の支払いを -1貫7文 と表示しますが、"
    "ここでは負号が貫と文の両方にかかるので -5 と書きます",
    "C4",
)
SHEET_MAKER: Final = RuleCode(
    "sheet-maker-unclear",
    "{label:yaku}: exactly one player can receive it",
    "{label:yaku}: 役代をもらうのは一人だけです",
    "H24, S1",
)
SHEET_VALUE: Final = RuleCode(
    "sheet-value",
    "{label:yaku}: {seat:seat} gets {found}, which is not its value here: {due}",
    "{label:yaku}: {seat:seat}の {found} は役代と合いません: {due}",
    "H24, S1",
)
SHEET_SHARES: Final = RuleCode(
    "sheet-shares",
    "{label:yaku}: the other two pay half of each yaku, or one of them pays all of it",
    "{label:yaku}: 役代は他の二人が半分ずつか、一人が全部を払います",
    "H24",
)
SHEET_SHARED: Final = RuleCode(
    "sheet-not-shared",
    "{label:yaku}: the others must pay the same amount",
    "{label:yaku}: 他のプレイヤーが同じだけ払います",
    "H5, H16, H17, S1",
)
SHEET_SOHACHI: Final = RuleCode(
    "sheet-sohachi",
    "sōhachi is paid to the dealer, {due:seat}",
    "総八をもらうのは親の{due:seat}です",
    "H16",
)
SHEET_POINTS: Final = RuleCode(
    "sheet-points",
    "card points: {found} is no deviation from par here",
    "取り札の点: {found} は基準点からの浮き沈みになりません",
    "H17, H18, S1",
)
SHEET_POINTS_TWICE: Final = RuleCode(
    "sheet-points-twice",
    "card points are paid once a month",
    "取り札の点の授受は月に一度です",
    "H17, S1",
)
SHEET_BA: Final = RuleCode(
    "sheet-ba",
    "after the month before, the field grade cannot be {grade:grade}, only {due:grade}",
    "前月からみて、場は{grade:grade}にはなりません（{due:grade} のみ）",
    "H1",
)
SHEET_STONE_MISSING: Final = RuleCode(
    "sheet-stone-missing",
    "the stone of month {month} is missing: the next dealer puts one in",
    "{month}月の月石がありません。次の親が出します",
    "H19",
)
SHEET_STONE_SHISO: Final = RuleCode(
    "sheet-stone-of-shiso",
    "no stone is put in for a month that shisō ends",
    "四三で終わった月の月石は出しません",
    "H6",
)
SHEET_STONE_WRONG: Final = RuleCode(
    "sheet-stone-wrong",
    "{seat:seat} deals, but the stone of the month before is of {due:seat}",
    "前月の月石は{due:seat}なのに、{seat:seat}が配っています",
    "H25",
)
SHEET_STONE_DOUBTFUL: Final = RuleCode(
    "sheet-stone-doubtful",
    "the stone is of {seat:seat}, but by the payments {due:seat} should deal next",
    "月石は{seat:seat}ですが、授受からみて次の親は{due:seat}のはずです",
    "H19",
)
SHEET_NOT_STRUCK: Final = RuleCode(
    "sheet-not-struck-out",
    "{label:yaku} is paid in a month with a special yaku, which strikes it out",
    "{label:yaku}は特殊役の成立で吹き消しになります",
    "H16, B12",
)
SHEET_GROUNDLESS: Final = RuleCode(
    "sheet-groundless",
    "{label:yaku} of {seat:seat}, who has declared no dealt-hand yaku that gives it",
    "{seat:seat}に{label:yaku}がありますが、もとになる手役がありません",
    "H15, H17",
)
SHEET_TWICE: Final = RuleCode(
    "sheet-twice",
    "{label:yaku} cannot be paid twice in a month",
    "{label:yaku}の授受は月に一度です",
    "S1",
)
SHEET_VOID: Final = RuleCode(
    "sheet-void",
    "{label:yaku}: nothing is struck out in such a month; leave out a payment that was returned",
    "{label:yaku}: この月に吹き消しはありません。返した役代の行は書かないでください",
    "H24, S1",
)
SHEET_MIXED: Final = RuleCode(
    "sheet-not-together",
    "{label:yaku}: not paid in a month with {other:yaku}",
    "{label:yaku}は{other:yaku}と同じ月には支払われません",
    "S1",
)
SHEET_WINNERS: Final = RuleCode(
    "sheet-two-winners",
    "{label:yaku} is of {seat:seat}, but the month is won by {due:seat}",
    "{label:yaku}は{seat:seat}ですが、この月の勝者は{due:seat}です",
    "S1",
)
SHEET_TOGETHER: Final = RuleCode(
    "sheet-yaku-together",
    "{seat:seat} cannot have captured {yaku:yaku} and nothing else",
    "{seat:seat}の取り札が{yaku:yaku}だけになることはありません",
    "S4",
)
SHEET_CARDS: Final = RuleCode(
    "sheet-cards-shared",
    "{label:yaku} of {seat:seat} and {other:yaku} of {due:seat} need the same card",
    "{seat:seat}の{label:yaku}と{due:seat}の{other:yaku}には同じ札が要ります",
    "S4",
)
SHEET_TOO_MANY: Final = RuleCode(
    "sheet-too-many-cards",
    "{label:yaku}: with the other yaku of the month this needs more cards than the pack has",
    "{label:yaku}: この月のほかの役と合わせると、札の枚数を超えます",
    "S4",
)
SHEET_MONTH_ALONE: Final = RuleCode(
    "sheet-month-alone",
    "a month written as its sum has no other payments",
    "月の得点だけの月に、ほかの授受は書きません",
    "S2",
)
SHEET_MONTH_SUM: Final = RuleCode(
    "sheet-month-sum", "{found} is no sum of a month here", "{found} は月の得点になりません", "S2"
)
SHEET_NEXT: Final = RuleCode(
    "sheet-next-dealer",
    "{due:seat} deals next, not {seat:seat}",
    "次の親は{seat:seat}ではなく{due:seat}です",
    "S3",
)
SHEET_DEALER: Final = RuleCode(
    "sheet-dealer-doubtful",
    "{due:seat} should deal, not {seat:seat}, unless a month was played again and that is not"
    " written",
    "{seat:seat}ではなく{due:seat}が配るはずです（書かれていない流れがあれば別です）",
    "S5",
)
SHEET_FLOOR: Final = RuleCode(
    "sheet-floor",
    "a month played again is not won with {found} mon, only from {due} on",
    "やり直しの月は{due}文以上でなければ勝てません（{found}文）",
    "K9",
)
SHEET_SEASON: Final = RuleCode(
    "sheet-season",
    "{label:yaku} of {due} belongs to this month, {found} is written",
    "この月の{label:yaku}は{due}のはずが{found}とあります",
    "S5",
)
SHEET_FUKE: Final = RuleCode(
    "sheet-fuke",
    "{seat:seat} has thirty points or fewer, so that nothing is paid in this month",
    "{seat:seat}が30点以下なので、この月はふけで授受がありません",
    "A3, S6",
)
SHEET_NO_FUKE: Final = RuleCode(
    "sheet-no-fuke",
    "nobody has thirty points or fewer in this month",
    "この月に30点以下のプレイヤーがいません",
    "A3, S6",
)
SHEET_SEATS: Final = RuleCode(
    "sheet-seats",
    "{seat:seat} does not play in this month",
    "{seat:seat}はこの月に出ていません",
    "S7, S8",
)
SHEET_FEES: Final = RuleCode(
    "sheet-fees",
    "the fees of going out are {due}, in the order of going out",
    "下り賃は下りた順に{due}です",
    "B3, S7",
)
SHEET_FEES_TO: Final = RuleCode(
    "sheet-fees-to",
    "the fees of going out are the month's winner's, {due:seat}",
    "下り賃をもらうのは月の勝者の{due:seat}です",
    "B13, S7",
)
SHEET_PLACE: Final = RuleCode(
    "sheet-place",
    "{label:yaku} is not for {seat:seat}, by the place in play order",
    "{label:yaku}は打ち順からみて{seat:seat}の役ではありません",
    "T5, T6, S8",
)
SHEET_WINNER_GETS: Final = RuleCode(
    "sheet-winner-gets",
    "{label:yaku}: the winner of the month alone gets, and nobody pays",
    "{label:yaku}: 月の勝者だけが得て、払う人はいません",
    "C4, S5",
)
SHEET_DOUBLED: Final = RuleCode(
    "sheet-doubled",
    "a total of {found}: the line that doubles it is missing, or is not due",
    "役代 {found}: 倍の分が足りないか、余分です",
    "K15, S5",
)
SHEET_NO_END: Final = RuleCode(
    "sheet-no-end",
    "no line shows how the month ended: captured or special yaku or card points are paid in every"
    " month",
    "月の終わり方がわかりません。出来役・特殊役・取り札の点のどれかの授受が必ずあります",
    "H24, S7",
)
SHEET_HAND: Final = RuleCode(
    "sheet-hand",
    "{seat:seat} cannot have been dealt {yaku:yaku} in one hand",
    "{seat:seat}の一つの手札に{yaku:yaku}は複合しません",
    "A1, B6, H2",
)
SHEET_HALVES: Final = RuleCode(
    "sheet-halves",
    "{label:yaku}: the captured yaku of {seat:seat} are all paid in full or all by half",
    "{label:yaku}: {seat:seat}の出来役は、すべて全額かすべて半額です",
    "H9, H24",
)
SHEET_LIABLE: Final = RuleCode(
    "sheet-liable",
    "{label:yaku}: {seat:seat}, who played on after a yaku, pays both shares",
    "{label:yaku}: 下げた{seat:seat}が二人分を払います",
    "H11, H24",
)
SHEET_ALONE: Final = RuleCode(
    "sheet-alone",
    "{label:yaku}: one player pays this alone only after a sage",
    "{label:yaku}: 下げがなければ一人で払うことはありません",
    "H12, H13, H24",
)
SHEET_SPECIAL_DUE: Final = RuleCode(
    "sheet-special-due",
    "with 168 points or 88 each a special yaku is paid instead of card points",
    "168点以上か88点ずつなら、取り札の点ではなく特殊役の授受です",
    "H16, H24",
)
SHEET_BONUS_POINTS: Final = RuleCode(
    "sheet-bonus-points",
    "{label:yaku}: {seat:seat} has fewer than the 89 points that it needs",
    "{label:yaku}: {seat:seat}は89点に届いていません",
    "H17, H24, B11",
)
SHEET_NUKE_DUE: Final = RuleCode(
    "sheet-nuke-due",
    "{seat:seat} has 89 points and a hand that gives nuke, which is missing",
    "{seat:seat}は89点以上で手役もあるのに、抜けの授受がありません",
    "H17, H24",
)
SHEET_FEW_POINTS: Final = RuleCode(
    "sheet-few-points",
    "{seat:seat} has captured {found} points, but the cards of {yaku:yaku} count {due}",
    "{seat:seat}の取り札は{found}点ですが、{yaku:yaku}の札だけで{due}点あります",
    "S4",
)
SHEET_MANY_POINTS: Final = RuleCode(
    "sheet-many-points",
    "{seat:seat} has captured {found} points, but cards of this value make more yaku than the"
    " sheet has",
    "{seat:seat}の取り札は{found}点ですが、それだけの札なら書かれていない役ができます",
    "S4",
)
SHEET_NO_CARDS: Final = RuleCode(
    "sheet-no-cards",
    "{lines}: no deal of the 48 cards, however they are captured, gives these in one month",
    "{lines}: 48枚の札をどう配ってどう取っても、一つの月にこうはなりません",
    "S1, H24",
)
SHEET_DUE: Final = RuleCode(
    "sheet-due",
    "{label:yaku} of {seat:seat} is due with the cards of such a month, and missing",
    "この月の札なら{seat:seat}の{label:yaku}もできるのに、その授受がありません",
    "S1, H24",
)
