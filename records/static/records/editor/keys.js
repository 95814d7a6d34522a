// @ts-check
/** The keys of the editor: card letters play cards, arrows move between steps and deals. */

/** The number of steps that each arrow key advances. */
const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** Returns the step that a key leads to, as `deal.step`; "" without a step in that direction. */
function nextStep(key, { at, deals, steps }) {
  const direction = STEPS[key];
  if (!direction || !at || !deals.length) return "";
  const [deal, step] = at.split(".").map(Number);
  const next = step + direction;
  if (deal && next >= 0 && next < steps.length) return `${deal}.${next}`;
  const neighbour = deals[deal - 1 + direction];
  if (!neighbour?.steps) return "";
  return direction > 0 ? `${deal + 1}.0` : `${deal - 1}.${neighbour.steps - 1}`;
}

/**
 * Returns the editor's action for a key; null for keys without an action. Ctrl-Z and Ctrl-Y undo and
 * redo, Backspace takes back a step, Enter deals. `kinds` has the letters of the cards as keys.
 * @param {any} event
 * @param {any} editor
 * @param {Record<string, string>} kinds
 * @returns {(() => unknown) | null}
 */
export function actionForKey({ key, target, ctrlKey, metaKey, shiftKey }, editor, kinds) {
  const { response } = editor;
  if (ctrlKey || metaKey) {
    const letter = key.toLowerCase();
    if (letter !== "z" && letter !== "y") return null;
    const isUndo = letter === "z" && !shiftKey;
    return () => (isUndo ? editor.step("past", "future") : editor.step("future", "past"));
  }
  if (key === "Backspace") return () => editor.takeBack();
  if (key in STEPS) return () => moveToStep(key, editor);
  if (key in kinds) return () => useCard(key, editor);
  const isDeal = key === "Enter" && response.due && !target.closest("button, a, summary, label");
  return isDeal ? () => editor.dealing.root.requestSubmit() : null;
}

function moveToStep(key, editor) {
  const at = nextStep(key, editor.response);
  return at && editor.look(at);
}

function useCard(letter, { response, dealing, table }) {
  if (!response.table) return undefined;
  return response.due ? dealing.tap(letter) : table.press(letter);
}
