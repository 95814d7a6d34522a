/** What a key means in the editor: card letters play, arrows walk, over the ends of deals too. */

/** How many steps on each key leads. */
const WAYS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** The step that a key leads to from the one of an answer, as `deal.step`; "" where there is none. */
function stepAt(key, { at, deals, steps }) {
  const way = WAYS[key];
  if (!way || !at || !deals.length) return "";
  const [deal, step] = at.split(".").map(Number);
  const next = step + way;
  if (deal && next >= 0 && next < steps.length) return `${deal}.${next}`;
  const other = deals[deal - 1 + way];
  if (!other?.steps) return "";
  return way > 0 ? `${deal + 1}.0` : `${deal - 1}.${other.steps - 1}`;
}

/**
 * What the editor does for a key, null for nothing. Ctrl-Z and Ctrl-Y undo and redo, Backspace takes
 * back, Enter deals. `kinds` has the letters of the cards.
 */
export function meant({ key, target, ctrlKey, metaKey, shiftKey }, editor, kinds) {
  const { answer } = editor;
  if (ctrlKey || metaKey) {
    const letter = key.toLowerCase();
    if (letter !== "z" && letter !== "y") return null;
    const isUndo = letter === "z" && !shiftKey;
    return () => (isUndo ? editor.step("past", "future") : editor.step("future", "past"));
  }
  if (key === "Backspace") return () => editor.takeBack();
  if (key in WAYS) return () => walk(key, editor);
  if (key in kinds) return () => pressed(key, editor);
  const deals = key === "Enter" && answer.due && !target.closest("button, a, summary, label");
  return deals ? () => editor.dealing.root.requestSubmit() : null;
}

function walk(key, editor) {
  const at = stepAt(key, editor.answer);
  return at && editor.look(at);
}

function pressed(letter, { answer, dealing, table }) {
  if (!answer.table) return undefined;
  return answer.due ? dealing.tap(letter) : table.press(letter);
}
