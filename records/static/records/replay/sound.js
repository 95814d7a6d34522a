// @ts-check
/** Synthesized sounds for steps: a played card, captured cards, a yaku, the end of a month. */

const LENGTH = 0.16; // seconds
const NOTES = { card: [180], take: [180, 270], yaku: [392, 494, 587], end: [294, 370, 440, 587] };

/** The sounds of a player; creates its audio context at the first sound. */
export class Sound {
  constructor() {
    this.context = null;
  }

  /** Plays the sound of a step with a number of new yaku. */
  play({ kind, card, take }, yakuCount) {
    const name = kind === "end" ? "end" : yakuCount || kind === "show" ? "yaku" : take ? "take" : card && "card";
    if (!name) return;
    this.context ??= new AudioContext();
    const start = this.context.currentTime;
    NOTES[name].forEach((pitch, i) => this.playNote(pitch, start + (i * LENGTH) / 2));
  }

  playNote(pitch, at) {
    const tone = new OscillatorNode(this.context, { type: "triangle", frequency: pitch });
    const gain = new GainNode(this.context, { gain: 0 });
    gain.gain.setValueAtTime(0.12, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + LENGTH);
    tone.connect(gain).connect(this.context.destination);
    tone.start(at);
    tone.stop(at + LENGTH);
  }
}
