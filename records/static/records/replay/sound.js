/** What a step sounds like, made in the browser: a card laid, cards taken, a yaku, an end. */

const LENGTH = 0.16;
const NOTES = { card: [180], take: [180, 270], yaku: [392, 494, 587], end: [294, 370, 440, 587] };

/** Sound for steps; silent until `play` is first asked for. */
export class Sound {
  constructor() {
    this.context = null;
  }

  /** Sounds a step that brought `yaku` (how many). */
  play({ kind, card, take }, yaku) {
    const name = kind === "end" ? "end" : yaku || kind === "show" ? "yaku" : take ? "take" : card && "card";
    if (!name) return;
    this.context ??= new AudioContext();
    const start = this.context.currentTime;
    NOTES[name].forEach((pitch, i) => this.note(pitch, start + (i * LENGTH) / 2));
  }

  note(pitch, at) {
    const tone = new OscillatorNode(this.context, { type: "triangle", frequency: pitch });
    const gain = new GainNode(this.context, { gain: 0 });
    gain.gain.setValueAtTime(0.12, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + LENGTH);
    tone.connect(gain).connect(this.context.destination);
    tone.start(at);
    tone.stop(at + LENGTH);
  }
}
