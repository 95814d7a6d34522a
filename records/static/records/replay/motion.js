/** Cards that glide from where they lay to where they lie (FLIP, by the Web Animations API). */

const TIME = 180;

/**
 * Remembers where cards are; the function it gives lets them glide from there. `find` gives a
 * card's element or null, `from` the place that a card comes out of when it was not to be seen.
 */
export function glide(letters, find, from) {
  const before = [...letters].map((letter) => {
    const element = find(letter);
    const box = element?.isConnected ? element : from(letter);
    return [letter, box?.getBoundingClientRect()];
  });
  return () => {
    for (const [letter, old] of before) {
      const element = find(letter);
      if (!old || !element?.isConnected) continue;
      const now = element.getBoundingClientRect();
      if (now.width === 0 || old.width === 0) continue;
      const [x, y] = [old.left - now.left, old.top - now.top];
      const scale = old.width / now.width;
      // Of nothing but the transform, which a browser can move without painting anew.
      const gliding = element.animate(
        { transform: [`translate(${x}px, ${y}px) scale(${scale})`, "none"] },
        { duration: TIME, easing: "cubic-bezier(0.3, 0.7, 0.4, 1)" },
      );
      element.classList.add("gliding");
      const over = () => {
        if (element.getAnimations().length === 0) element.classList.remove("gliding");
      };
      for (const end of ["finish", "cancel"]) gliding.addEventListener(end, over);
    }
  };
}

/** Whether the reader asked his system for less motion. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
