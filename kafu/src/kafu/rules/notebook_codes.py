"""The codes of score notebooks (`kafu.importers.notebook`): errors and omissions.

Line and column of these faults are the row and column of a cell, from 1.
"""

from __future__ import annotations

from typing import Final

from kafu.notation.faults import Code

# --- the file ---
NOTEBOOK: Final = Code(
    "notebook",
    "this is a score notebook, which does not say its ruleset: choose it on the page that checks a"
    " game, or give it to `kafu convert`",
    "得点表（表計算など）のようですが、どの遊び方かは書かれていません。"
    "「対局を調べる」のページで選ぶか、`kafu convert` に指定してください",
)
NO_TABLE: Final = Code(
    "notebook-no-table",
    "this is no table of months and players: expected a row with the players' names, and below it"
    " a row of amounts for each month",
    "月とプレイヤーの表として読めません。プレイヤー名の行と、その下に月ごとの点数の行が必要です",
)
TABLE_TOO_LARGE: Final = Code(
    "notebook-too-large",
    "a score notebook may have at most {rows} rows, {columns} columns and {bytes} bytes",
    "得点表は {rows} 行、{columns} 列、{bytes} バイトまでです",
)
WORKBOOK_TOO_LARGE: Final = Code(
    "notebook-workbook-too-large",
    "a workbook may have at most {files} files, and its sheets {bytes} bytes unpacked and"
    " {elements} elements of XML: save the sheet as CSV, and send that",
    "ブックのファイルは {files} 個まで、シートは展開後 {bytes} バイト、XML の要素 {elements} 個まで"
    "です。シートを CSV で保存して送ってください",
)
BAD_WORKBOOK: Final = Code(
    "notebook-workbook",
    "this workbook is too large or damaged: save the sheet as CSV, and send that",
    "このブックは大きすぎるか壊れています。シートを CSV で保存して送ってください",
)

# --- its head ---
WRONG_PLAYERS: Final = Code(
    "notebook-players",
    "{rules} is for {due} players, and the table has {count}: {names} (a column of anything else is"
    " headed 備考 or remarks)",
    "{rules} は {due} 人で遊びますが、表には {count} 人います: {names}"
    "（プレイヤーでない列の見出しは「備考」などとしてください）",
)
NO_NAME: Final = Code(
    "notebook-no-name",
    "above this column of amounts stands no name: expected that of a player",
    "この点数の列には名前がありません。プレイヤー名が必要です",
)
ONE_WINNER: Final = Code(
    "notebook-one-winner",
    "the table names only one player ({found}): add a column 敗者 or loser",
    "表に出てくるプレイヤーが一人だけです（{found}）。「敗者」の列を加えてください",
)
COLUMN_TWICE: Final = Code(
    "notebook-column-twice",
    "{found}: a column of this kind stands in the table already",
    "{found}: 同じ種類の列がすでにあります",
)

# --- its cells ---
CELL_MONTH: Final = Code(
    "notebook-month",
    "“{found}” is no month: expected 1, 1月, 一月, 睦月, Jan or January, the first day of a month,"
    " or 合計 or total for sums",
    "「{found}」は月として読めません。1、1月、一月、睦月、Jan、January、月の初日の日付、または合計の"
    "はずです",
)
FORMULA: Final = Code(
    "notebook-formula",
    "{cell} has a formula without a value ({found}): open and save the file in a spreadsheet",
    "{cell} の数式（{found}）に値が保存されていません。表計算ソフトで開いて保存し直してください",
)
CELL_AMOUNT: Final = Code(
    "notebook-amount",
    "“{found}” is no amount of {name} in month {month}: expected a whole number, as 12, -5, ▲5 or"
    " (5)",
    "「{found}」は{month}月の{name}の点数として読めません。12、-5、▲5、(5) のような整数のはずです",
)
CELL_KAN: Final = Code(
    "notebook-kan",
    "“{found}”: {rules} does not count in kan (貫)",
    "「{found}」: {rules} では貫を使いません",
)
CELL_SEAT: Final = Code(
    "notebook-seat",
    "“{found}” is none of the players",
    "「{found}」はプレイヤーの名前ではありません",
)
CELL_GRADE: Final = Code(
    "notebook-grade",
    "“{found}” is no field grade",
    "「{found}」は場の種類ではありません",
)
NO_GRADES: Final = Code(
    "notebook-no-grades",
    "“{found}”: {rules} has no field grades",
    "「{found}」: {rules} には場の種類がありません",
)
TWO_DEALERS: Final = Code(
    "notebook-dealers",
    "in month {month} more than one player is written as the dealer: {names}",
    "{month}月の親が二人以上います: {names}",
)
NOT_WINNER: Final = Code(
    "notebook-winner",
    "{found} is written as the winner of month {month}, and {name} got the most",
    "{month}月の勝者は「{found}」とありますが、点数がいちばん多いのは{name}です",
)
NO_AMOUNTS: Final = Code(
    "notebook-no-amounts",
    "month {month} has no amounts, and a later month has some",
    "{month}月に点数がなく、その後の月にはあります",
)
NO_DEALER: Final = Code(
    "notebook-no-dealer",
    "who dealt month {month} is not in the table, and the sums do not tell: add a column 親 or"
    " dealer",
    "{month}月の親が表になく、点数からも決まりません。「親」の列を加えてください",
)
MONTH_SUM: Final = Code(
    "notebook-sum",
    "“{found}” is written as the sum, and the amounts of month {month} sum to {due}",
    "合計は「{found}」とありますが、{month}月の点数の合計は {due} です",
)
PLAYER_SUM: Final = Code(
    "notebook-total",
    "“{found}” is written as the total of {name}, and the months sum to {due}",
    "{name}の合計は「{found}」とありますが、月の点数の合計は {due} です",
)

# --- warnings ---
LEFT_OUT: Final = Code(
    "notebook-left-out",
    "“{found}” is not taken over",
    "「{found}」は取り込みません",
)
FILLED_IN: Final = Code(
    "notebook-filled-in",
    "the amount of {name} in month {month} was filled in: {due}",
    "{month}月の{name}の点数を補いました: {due}",
)
FIRST_DEALER: Final = Code(
    "notebook-first-dealer",
    "who dealt is not in the table: {name} is taken to have dealt the first month, and the sums"
    " tell who dealt the others",
    "親が表にないので、最初の親は{name}とし、後の親は点数から決めました",
)
PRIZE: Final = Code(
    "notebook-prize",
    "{due} of the amount of {name} in month {month} is written as the prize of the season"
    " (小引, 大引)",
    "{month}月の{name}の点数のうち {due} は小引・大引として書きました",
)
ONE_SHEET: Final = Code(
    "notebook-sheet",
    "only the sheet “{found}” of the workbook is read",
    "ブックのうちシート「{found}」だけを読みました",
)
