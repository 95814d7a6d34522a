// @ts-check
/**
 * Opens the fold of the target of the address; older browsers leave it closed. Former addresses of
 * options lead to the page that has the options now.
 */

const FORMER_OPTION = /^#option(s$|-)/;

const options = /** @type {HTMLAnchorElement | null} */ (document.querySelector("[data-options]"));

/** Opens the fold of the target, and scrolls to the target. */
function openTarget() {
  if (options && FORMER_OPTION.test(location.hash)) location.replace(options.href + location.hash);
  const target = document.getElementById(location.hash.slice(1));
  const fold = target?.closest("details");
  if (!fold || fold.open) return;
  fold.open = true;
  target?.scrollIntoView();
}

addEventListener("hashchange", openTarget);
openTarget();
