// @ts-check
/** Opens the fold that contains the target of the address; older browsers leave it closed. */

/** Opens the fold of the target, and scrolls to the target. */
function openTarget() {
  const target = document.getElementById(location.hash.slice(1));
  const fold = target?.closest("details");
  if (!fold || fold.open) return;
  fold.open = true;
  target?.scrollIntoView();
}

addEventListener("hashchange", openTarget);
openTarget();
