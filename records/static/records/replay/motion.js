// @ts-check
/** Animations of moving cards (the FLIP technique with the Web Animations API). */

const TIME = 180; // milliseconds

/**
 * Records the positions of cards. Returns a function that animates the cards from the recorded
 * positions to their new ones.
 * @param {string} letters
 * @param {(letter: string) => Element | null} find returns the element of a card
 * @param {(letter: string) => Element | null} from returns the origin of a card without an element
 * @returns {() => void}
 */
export function glide(letters, find, from) {
  const positions = [...letters].map((letter) => {
    const element = find(letter);
    const origin = element?.isConnected ? element : from(letter);
    return { letter, old: origin?.getBoundingClientRect() };
  });
  return () => {
    for (const { letter, old } of positions) {
      const element = find(letter);
      if (!old || !element?.isConnected) continue;
      const now = element.getBoundingClientRect();
      if (now.width === 0 || old.width === 0) continue;
      const [x, y] = [old.left - now.left, old.top - now.top];
      const scale = old.width / now.width;
      // Animate only the transform, because browsers move an element without painting again.
      const gliding = element.animate(
        { transform: [`translate(${x}px, ${y}px) scale(${scale})`, "none"] },
        { duration: TIME, easing: "cubic-bezier(0.3, 0.7, 0.4, 1)" },
      );
      element.classList.add("gliding");
      const onEnd = () => {
        if (element.getAnimations().length === 0) element.classList.remove("gliding");
      };
      for (const end of ["finish", "cancel"]) gliding.addEventListener(end, onEnd);
    }
  };
}

/** Returns whether the reader's system is set to reduced motion. */
export const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
