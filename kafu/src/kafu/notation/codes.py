"""The codes of reading: faults of a malformed text, and warnings for repairs."""

from __future__ import annotations

from typing import Final

from kafu.notation.faults import Code

# --- the file ---
EMPTY: Final = Code("empty", "there is nothing to read here", "中身がありません")
BINARY: Final = Code(
    "binary", "this is not text but a binary file", "テキストではなくバイナリのファイルです"
)
PICTURE: Final = Code(
    "picture",
    "this is a picture ({kind}); pictures are not read: write the game down, or its score sheet",
    "画像（{kind}）は読み取れません。対局か得点表を文字で書いてください",
)
DOCUMENT: Final = Code(
    "document",
    "this is a document ({kind}), not plain text; save it as plain text, or copy the game from it",
    "文書ファイル（{kind}）で、テキストではありません。"
    "テキスト形式で保存するか、対局の部分を貼り付けてください",
)
UNREAD_ENCODING: Final = Code(
    "unread-encoding",
    "this text is in {kind}, which is not read; save it as UTF-8",
    "文字コードが {kind} のテキストは読めません。UTF-8 で保存し直してください",
)
COMPRESSED: Final = Code(
    "compressed",
    "this is a compressed file ({kind}); unpack it first",
    "圧縮ファイル({kind})です。展開してから送ってください",
)
TOO_MANY_GAMES: Final = Code(
    "too-many-games",
    "a file may have at most {limit} games; the games from here on were not read",
    "一つのファイルの対局は {limit} 件までです。ここから先は読んでいません",
)
BAD_ENCODING: Final = Code(
    "bad-encoding",
    "this text is not in UTF-8, and no other encoding is certain; save it as UTF-8",
    "UTF-8 として読めず、ほかの文字コードとも決められません。UTF-8 で保存し直してください",
)
CONTROL_CHARACTER: Final = Code(
    "control-character",
    "a game may not contain the control character {character}",
    "制御文字 {character} は使えません",
)
GAME_TOO_LARGE: Final = Code(
    "game-too-large",
    "a game may have at most {limit} bytes",
    "一つの対局は {limit} バイトまでです",
)
COMMENT_NOT_CLOSED: Final = Code(
    "comment-not-closed",
    "the comment that begins here is not closed with }}",
    "ここから始まる注釈が }} で閉じられていません",
)

# --- archives (kafu.archives) ---
ARCHIVE_TRUNCATED: Final = Code(
    "archive-truncated",
    "this {kind} file is incomplete",
    "この {kind} ファイルは途中で切れています",
)
ARCHIVE_DAMAGED: Final = Code(
    "archive-damaged", "this {kind} file is damaged", "この {kind} ファイルは壊れています"
)
ARCHIVE_ENCRYPTED: Final = Code(
    "archive-encrypted",
    "this file is encrypted; pack it again without a password",
    "暗号化されています。パスワードなしで圧縮し直してください",
)
ARCHIVE_METHOD: Final = Code(
    "archive-method",
    "this file is packed by method {method}; only stored (0) and deflate (8) are read here",
    "圧縮方式 {method} は読めません(無圧縮 0 と deflate 8 のみ)",
)
ARCHIVE_LINK: Final = Code(
    "archive-link",
    "this is a link or a device, not a file: it is not followed",
    "ファイルではなくリンクかデバイスなので、たどりません",
)
ARCHIVE_EMPTY: Final = Code(
    "archive-empty",
    "there is no file of games in this archive",
    "圧縮ファイルの中に対局のファイルがありません",
)
ARCHIVE_NO_ZSTD: Final = Code(
    "archive-no-zstd",
    "Zstandard is read by Python 3.14, or with the extra zstd: pip install 'kafu[zstd]'",
    "Zstandard を読むには Python 3.14 か、追加の zstd が要ります: pip install 'kafu[zstd]'",
)
PASSED_OVER: Final = Code(
    "passed-over",
    "skipped: the name does not look like a record of games; if it is one, send it alone",
    "名前から見て対局の記録ではないので飛ばしました。記録なら、それだけを送ってください",
)
ARCHIVE_TOO_DEEP: Final = Code(
    "archive-too-deep",
    "archives that are nested more than once are not opened",
    "圧縮ファイルの中の圧縮ファイルの、さらに中の圧縮ファイルは開きません",
)
ARCHIVE_TOO_MANY: Final = Code(
    "archive-too-many-files",
    "archives may have at most {limit} files in one upload; the other files were not read",
    "一度に送れる圧縮ファイル内のファイルは {limit} 個までです。残りは読んでいません",
)
ARCHIVE_FILE_TOO_LARGE: Final = Code(
    "archive-file-too-large",
    "unpacked, this file has more than {limit} bytes",
    "展開すると {limit} バイトを超えます",
)
ARCHIVE_TOTAL: Final = Code(
    "archive-too-large",
    "unpacked, the files of one upload may have at most {limit} bytes; the others were not read",
    "一度に送れるファイルは展開後 {limit} バイトまでです。残りは読んでいません",
)
ARCHIVE_RATIO: Final = Code(
    "archive-ratio",
    "this file unpacks to more than {limit} times its size",
    "展開すると {limit} 倍を超えます",
)
ARCHIVE_PARTS: Final = Code(
    "archive-too-many-parts",
    "an archive may have at most {limit} entries, headers or compressed frames; the rest was not"
    " read",
    "一つの圧縮ファイルの項目・ヘッダー・フレームは {limit} 個までです。残りは読んでいません",
)
ARCHIVE_COSTLY: Final = Code(
    "archive-too-costly",
    "unpacking this takes more than {limit} seconds of computing; the rest was not read",
    "展開の計算に {limit} 秒より長くかかるため、残りは読んでいません",
)
ARCHIVE_OVERLAP: Final = Code(
    "archive-overlap",
    "files of this archive overlap",
    "圧縮ファイル内のファイルが互いに重なっています",
)
ARCHIVE_WINDOW: Final = Code(
    "archive-window",
    "this file cannot be unpacked with a window of {limit} bytes; pack it at a lower level",
    "展開に {limit} バイトを超えるウィンドウが必要です。低い圧縮レベルで圧縮し直してください",
)
ARCHIVE_DOCUMENT: Final = Code(
    "archive-document",
    "this is an office document, not a record of games; a score notebook in .xlsx is read on the"
    " page that checks a game",
    "対局の記録ではなく、オフィスソフトの文書です。"
    "得点表の .xlsx は「対局を調べる」のページで読めます",
)
# --- uploads that are stopped (records.ingest.quotas) ---
QUOTA_BYTES: Final = Code(
    "bytes-quota",
    "the uploader's daily quota of {limit} bytes is used up; the rest was not unpacked: upload it"
    " again when the quota is free",
    "一日の上限（{limit} バイト）に達したので、残りは展開していません。"
    "上限が戻ってから送り直してください",
)
QUOTA_GAMES: Final = Code(
    "games-quota",
    "the uploader's daily quota of {limit} games is used up; the rest was not read: upload it again"
    " when the quota is free",
    "一日に送れる対局の上限（{limit} 件）に達したので、残りは読んでいません。"
    "上限が戻ってから送り直してください",
)
QUOTA_MALFORMED: Final = Code(
    "malformed-quota",
    "the uploader's daily quota of {limit} malformed games is used up; the rest was not read:"
    " correct it, and upload it again when the quota is free",
    "読めない対局が一日の上限（{limit} 件）に達したので、残りは読んでいません。"
    "直してから、上限が戻った後に送り直してください",
)
NOTHING_READABLE: Final = Code(
    "nothing-readable",
    "none of {limit} games could be read; the rest was not tried",
    "{limit} 件の対局がどれも読めなかったので、残りは読んでいません",
)
TOO_COSTLY: Final = Code(
    "too-costly",
    "this takes more than {seconds} seconds of computing, and was not read",
    "計算に {seconds} 秒を超えるため、読んでいません",
)
GIVEN_UP: Final = Code(
    "given-up",
    "given up after three attempts; it is stored, and the operator can see why",
    "三回試みて読めませんでした。データは保管してあり、運営者が原因を確かめられます",
)

# --- tags ---
FIRST_TAG: Final = Code(
    "first-tag", 'a game begins with the tag [Kafu "1"]', '対局はタグ [Kafu "1"] で始まります'
)
SECOND_GAME: Final = Code(
    "second-game", "another game begins here", "ここから別の対局が始まっています"
)
BAD_TAG: Final = Code(
    "bad-tag",
    'a tag is written [Name "value"]; in the value, \\" is a quote and \\\\ is a backslash',
    'タグは [Name "value"] と書きます。値の中の " は \\"、\\ は \\\\ と書きます',
)
TAG_TWICE: Final = Code(
    "tag-twice", "the tag {tag} is written twice", "タグ {tag} が二度書かれています"
)
TAG_AFTER_MONTH: Final = Code(
    "tag-after-month",
    "tags must come before the first month",
    "タグは最初の月より前に書きます",
)
TAG_TOO_LONG: Final = Code(
    "tag-too-long",
    "the value of a tag may have at most {limit} bytes",
    "タグの値は {limit} バイトまでです",
)
TOO_MANY_TAGS: Final = Code(
    "too-many-tags", "a game may have at most {limit} tags", "タグは {limit} 個までです"
)
MISSING_TAG: Final = Code("missing-tag", "the tag {tag} is missing", "タグ {tag} がありません")
BAD_VERSION: Final = Code(
    "bad-version", "unknown Kafu version {found}", "Kafu の版 {found} には対応していません"
)
UNKNOWN_RULES: Final = Code(
    "unknown-rules", "there is no ruleset “{found}”", "「{found}」というルールはありません"
)
UNKNOWN_OPTION: Final = Code(
    "unknown-option",
    "{rules} has no option {found}",
    "{rules} に {found} という選択事項はありません",
)
BAD_OPTION_VALUE: Final = Code(
    "bad-option-value",
    "the option {option} cannot be {found}",
    "選択事項 {option} の値に {found} は使えません",
)
OPTION_TWICE: Final = Code(
    "option-twice", "the option {option} is written twice", "選択事項 {option} が二度書かれています"
)
UNKNOWN_TERMINATION: Final = Code(
    "unknown-termination",
    "unknown Termination {found}",
    "Termination の値に {found} はありません",
)
BAD_SHEET: Final = Code(
    "bad-sheet",
    'a score sheet is marked [Sheet "1"], not {found}',
    '得点表の印は [Sheet "1"] です({found} は読めません)',
)
MISSING_PLAYER: Final = Code(
    "missing-player", "the tag Player{seat} is missing", "タグ Player{seat} がありません"
)
TOO_MANY_PLAYERS: Final = Code(
    "too-many-players",
    "{rules} has at most {limit} players",
    "{rules} の参加者は {limit} 人までです",
)

# --- statements ---
UNKNOWN_STATEMENT: Final = Code(
    "unknown-statement",
    "no statement or turn begins with {found}",
    "{found} で始まる文や手番はありません",
)
STATEMENT_FORM: Final = Code(
    "statement-form", "expected here: {form}", "ここには次の形で書きます: {form}"
)
STATEMENT_ORDER: Final = Code(
    "statement-order",
    "{statement} may not come after {after}",
    "{statement} は {after} の後には書けません",
)
STATEMENT_TWICE: Final = Code(
    "statement-twice", "{statement} is written twice", "{statement} が二度書かれています"
)
NOT_IN_SHEET: Final = Code(
    "not-in-sheet",
    "a score sheet has no {statement}",
    "得点表に {statement} は書けません",
)
ONLY_IN_SHEET: Final = Code(
    "only-in-sheet",
    "{statement} belongs only in a score sheet",
    "{statement} は得点表だけのものです",
)
NO_MONTHS: Final = Code("no-months", "a game has at least one month", "月が一つもありません")
TOO_MANY_DEALS: Final = Code(
    "too-many-deals", "a game may have at most {limit} deals", "一つの対局の月は {limit} 個までです"
)
TOO_MANY: Final = Code(
    "too-many",
    "at most {limit} of these are allowed: {statement}",
    "{statement} は {limit} 個までです",
)
BAD_CARD: Final = Code("bad-card", "{found} is not a card", "{found} は札ではありません")
UNKNOWN_CARD_HERE: Final = Code(
    "unknown-card-here",
    "an unknown card ? may only be in a hand",
    "不明の札 ? は手札にだけ書けます",
)
NO_SUCH_SEAT: Final = Code(
    "no-such-seat",
    "there is no seat {found}; seats are 1 to {seats}",
    "席 {found} はありません(席は 1 から {seats} まで)",
)
SEAT_TWICE: Final = Code(
    "seat-twice", "seat {seat} is written twice here", "席 {seat} が二度書かれています"
)
BAD_AMOUNT: Final = Code("bad-amount", "{found} is not an amount", "{found} は点数ではありません")
AMBIGUOUS_AMOUNT: Final = Code(
    "ambiguous-amount",
    "{found} can be read in two ways: the minus covers kan and mon (as Kafu writes), or the kan"
    " alone (as BGA shows −5 as −1貫7文)",
    "{found} は二通りに読めます: 負号が貫と文にかかるか（Kafu の書き方）、貫だけにかかるか"
    "（BGA では 5 文の支払いを -1貫7文 と表示します）",
)
NO_KAN: Final = Code(
    "no-kan",
    "{rules} counts in points and has no k: {found}",
    "{rules} は文・点で数え、貫(k)はありません: {found}",
)
BAD_AMOUNTS: Final = Code(
    "bad-amounts",
    "expected one amount for each of the {seats} seats",
    "{seats} 席それぞれに点数を一つずつ書きます",
)
UNKNOWN_GRADE: Final = Code(
    "unknown-grade", "unknown field grade {found}", "場の種類に {found} はありません"
)
UNKNOWN_REASON: Final = Code(
    "unknown-reason", "unknown reason {found}", "理由に {found} はありません"
)
BAD_YAKU: Final = Code(
    "bad-yaku",
    "{found} is not the name of a yaku",
    "{found} は役の名ではありません",
)
BAD_LABEL: Final = Code(
    "bad-label", "{found} is not the name of a payment", "{found} は支払いの名ではありません"
)
BAD_TURN: Final = Code("bad-turn", "{found} is not a turn", "{found} は手番として読めません")
UNKNOWN_DECISION: Final = Code(
    "unknown-decision", "unknown decision ={found}", "宣言に ={found} はありません"
)

# --- JSON ---
BAD_JSON: Final = Code(
    "bad-json",
    "invalid JSON from here on; JSON is an object, or an array of objects, with double quotes and"
    " without comments",
    'ここから先は JSON として読めません。JSON はオブジェクトかその配列で、引用符は " だけ、'
    "注釈は書けません",
)
JSON_TOO_DEEP: Final = Code(
    "json-too-deep", "this JSON is nested too deeply", "JSON の入れ子が深すぎます"
)
JSON_KEY_TWICE: Final = Code(
    "json-key-twice",
    "an object has the same key twice",
    "一つのオブジェクトに同じキーが二度書かれています",
)
JSON_NUMBER: Final = Code(
    "json-number",
    "a number has far too many digits, or is NaN or Infinity",
    "桁が多すぎる数か、NaN・Infinity があります",
)
BAD_JSON_FORM: Final = Code(
    "bad-json-form",
    "expected at {pointer}: {wanted}",
    "{pointer} に必要な値: {wanted}",
)

# --- warnings: what was repaired ---
DECODED: Final = Code(
    "decoded", "read as {encoding}, not UTF-8", "UTF-8 ではなく {encoding} として読みました"
)
DECODED_NAMES: Final = Code(
    "decoded-names",
    "check the names; if they are wrong, save the text as UTF-8: {names}",
    "名前を確かめてください。違っていれば UTF-8 で保存し直してください: {names}",
)
PRIVATE_CHARACTER: Final = Code(
    "private-character",
    "{character} is a private character, which other computers may show differently",
    "{character} は外字（私用領域の文字）で、ほかの人には同じように見えません",
)
DAMAGED_TEXT: Final = Code(
    "damaged-text",
    "{found} is in the place of characters that were lost before: correct the text",
    "{found} は失われた文字の跡です。元の文字に直してください",
)
NO_CLAIM: Final = Code(
    "no-claim",
    "“{found}” claims nothing: the tag {tag} was left out",
    "「{found}」は何も主張していないので、タグ {tag} を省きました",
)
CHARACTER_REPAIRED: Final = Code(
    "character-repaired", "{found} was read as {read}", "{found} を {read} と読みました"
)
INVISIBLE_CHARACTER: Final = Code(
    "invisible-character",
    "the invisible character {character} was removed",
    "見えない文字 {character} を取り除きました",
)
TEXT_AROUND: Final = Code(
    "text-around",
    "the text around the game (other text, quotation marks, code fences) was not read",
    "対局の前後にある文・引用記号・コードの囲みは読んでいません",
)
LONE_CR: Final = Code(
    "lone-cr",
    "a line ends in a carriage return alone",
    "改行が CR だけの行があります",
)
ALIAS: Final = Code("alias", "{found} was read as {read}", "{found} を {read} と読みました")
BAD_DATE: Final = Code(
    "bad-date",
    "the date {found} is not written as in 2026-01-03 or 2026-01-??; write the year first,"
    " or the game counts as undated",
    "日付 {found} は 2026-01-03 や 2026-01-?? の形ではありません。"
    "年から書かないと日付のない対局として扱います",
)
NO_SUCH_DATE: Final = Code(
    "no-such-date",
    "there is no day {found} in the calendar; correct it, or the game counts as undated",
    "{found} という日は暦にありません。直さないと日付のない対局として扱います",
)
DOUBTFUL_DATE: Final = Code(
    "doubtful-date",
    "the date {found} is before 1600 or in the future; correct it, or the game counts as undated",
    "日付 {found} は 1600 年より前か、まだ来ていない日です。直さないと日付のない対局として扱います",
)
TAGS_KEPT: Final = Code(
    "tags-kept",
    "the archive has this game with other tags from its first sender, who can correct them; not"
    " taken over: {tags}",
    "この対局はすでに書庫にあり、最初に送った人のタグが残ります。訂正できるのはその人です。"
    "取り入れなかったタグ: {tags}",
)
BAD_ESCAPE: Final = Code(
    "bad-escape",
    'a backslash may only come before " or \\; it was kept',
    '\\ は " と \\ の前だけに書きます。そのまま残しました',
)
EMPTY_ROUND: Final = Code(
    "empty-round",
    "no turn follows the round number {round}",
    "{round}巡目の番号の後に手番がありません",
)
ROUND_LEFT_OUT: Final = Code(
    "round-left-out",
    "the number of round {due} is not written",
    "{due}巡目の番号が書かれていません",
)
POINTS_FILLED_IN: Final = Code(
    "points-filled-in",
    "the card points of {player} are not written; {read} makes the sum zero",
    "{player}の取り札の点がありません。合計が 0 になる {read} としました",
)
MORE_WARNINGS: Final = Code(
    "more-warnings",
    "further repairs are not listed",
    "これ以降の修正は省きました",
)

NOT_READ: Final = Code(
    "not-read",
    "the text after the object is not a JSON object and was not read",
    "オブジェクトの後にあるものは JSON のオブジェクトではなく、読んでいません",
)
