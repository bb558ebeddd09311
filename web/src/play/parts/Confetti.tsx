import { useEffect, useRef } from 'react';
import { useStill } from './useOnline';

const LIFE_MS = 2600;
const COLOURS = ['#e5793a', '#c2361f', '#e9a92c', '#3f9b78', '#f6d9a8'];

/** Paper in the air, once. Nobody who asked for less motion sees it. */
export function Confetti({ pieces: count }: { pieces: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const still = useStill();
  useEffect(() => {
    const sheet = canvas.current;
    const pen = sheet?.getContext('2d');
    if (!sheet || !pen || still) return;
    const scale = Math.min(2, devicePixelRatio);
    const [width, height] = [sheet.clientWidth, sheet.clientHeight];
    sheet.width = width * scale;
    sheet.height = height * scale;
    pen.scale(scale, scale);
    const pieces = Array.from({ length: count }, (_, piece) => ({
      x: width / 2 + (Math.random() - 0.5) * width * 0.3,
      y: height * 0.42,
      vx: (Math.random() - 0.5) * width * 1.1,
      vy: -height * (0.45 + Math.random() * 0.6),
      turn: Math.random() * Math.PI,
      spin: (Math.random() - 0.5) * 12,
      size: 5 + Math.random() * 5,
      colour: COLOURS[piece % COLOURS.length] ?? '#e5793a',
    }));
    let frame = 0;
    let begun: number | undefined;
    const draw = (now: number) => {
      begun ??= now;
      const t = (now - begun) / 1000;
      pen.clearRect(0, 0, width, height);
      if (now - begun > LIFE_MS) return;
      pen.globalAlpha = Math.min(1, (LIFE_MS - (now - begun)) / 700);
      for (const piece of pieces) {
        const drag = (1 - Math.exp(-1.6 * t)) / 1.6;
        const x = piece.x + piece.vx * drag;
        const y = piece.y + piece.vy * drag + 0.5 * height * 0.9 * t * t;
        pen.save();
        pen.translate(x, y);
        pen.rotate(piece.turn + piece.spin * t);
        pen.scale(1, Math.cos(piece.turn + piece.spin * 1.4 * t));
        pen.fillStyle = piece.colour;
        pen.fillRect(-piece.size / 2, -piece.size / 3, piece.size, piece.size * 0.66);
        pen.restore();
      }
      frame = requestAnimationFrame(draw);
    };
    frame = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(frame);
  }, [still, count]);
  // A canvas without content says nothing to a screen reader.
  return <canvas ref={canvas} className="confetti" />;
}
