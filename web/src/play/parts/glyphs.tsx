// Our own small pictures, on a field of 48 by 48: for kinds of prizes that have no picture, for a draw without a prize,
// and for kinds of activities. They look the same on every phone.
import type { ReactNode } from 'react';

export const GLYPH_FIELD = '0 0 48 48';

const GLYPHS: Record<string, ReactNode> = {
  miss: (
    <>
      <path d="M9 39C7 21 19 8 40 8c2 20-9 33-26 30z" fill="#8fbf8a" />
      <path
        d="M8 42c5-11 13-19 24-26M16 30l-2-9M22 24l10 2M27 19l-1-6"
        fill="none"
        stroke="#4f8a58"
        strokeWidth="2.2"
        strokeLinecap="round"
      />
    </>
  ),
  parcel: (
    <>
      <path d="M7 19h34v22a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2z" fill="#f0653f" />
      <path d="M5 12h38v8H5z" fill="#ff8257" />
      <path d="M20 12h8v31h-8z" fill="#ffd979" />
      <path
        d="M24 12C15 12 11 9 13 5c2-3 9-1 11 7 2-8 9-10 11-7 2 4-2 7-11 7z"
        fill="#ffe39a"
        stroke="#e3a52f"
        strokeWidth="1.6"
      />
    </>
  ),
  coupon: (
    <>
      <path d="M5 13h38v7a4 4 0 0 0 0 8v7H5v-7a4 4 0 0 0 0-8z" fill="#ffb84d" />
      <path d="M31 14v20" stroke="#fff3d6" strokeWidth="2.4" strokeDasharray="3 3" />
      <path d="m18 18 1.8 4.2 4.5.4-3.4 3 1 4.4-3.9-2.3-3.9 2.3 1-4.4-3.4-3 4.5-.4z" fill="#c2361f" />
    </>
  ),
  code: (
    <>
      <circle cx="16" cy="19" r="10" fill="#f2b63c" />
      <circle cx="16" cy="19" r="4" fill="#fff6e2" />
      <path
        d="m22 26 17 16 3-3-3-3 2.5-2.5-4-4-2.5 2.5-6-6"
        fill="#f2b63c"
        stroke="#b87612"
        strokeWidth="1.6"
        strokeLinejoin="round"
      />
    </>
  ),
  points: (
    <>
      <circle cx="24" cy="24" r="18" fill="#f2b63c" />
      <circle cx="24" cy="24" r="13.5" fill="#ffd979" />
      <path d="m24 14 2.9 6.4 7 .7-5.2 4.7 1.5 6.9L24 29.2l-6.2 3.5 1.5-6.9-5.2-4.7 7-.7z" fill="#d98a1a" />
    </>
  ),
  chances: (
    <>
      <circle cx="24" cy="24" r="18" fill="#3f9b78" />
      <path
        d="M15 25a9 9 0 0 1 16-6l2-2v7h-7l2.5-2.5A6 6 0 0 0 18 25zm18-2a9 9 0 0 1-16 6l-2 2v-7h7l-2.5 2.5A6 6 0 0 0 30 23z"
        fill="#fff"
      />
    </>
  ),
  text: (
    <>
      <rect x="5" y="11" width="38" height="27" rx="4" fill="#ffe3c2" />
      <path d="m6 14 18 14 18-14" fill="none" stroke="#d98a5a" strokeWidth="2.4" />
      <path
        d="M24 34c-7-4-8-9-4.5-10.2 2.3-.8 4 .8 4.5 2.5.5-1.7 2.2-3.3 4.5-2.5C32 25 31 30 24 34z"
        fill="#d83a20"
      />
    </>
  ),
  collectible: (
    <>
      <path d="M14 8h20l9 11-19 22L5 19z" fill="#7fc4e8" />
      <path d="M14 8h20l-4 11H18z" fill="#d6f0fb" />
      <path d="m5 19 19 22-6-22zM43 19 24 41l6-22z" fill="#4f9cc9" />
      <path d="M18 19h12l-6 22z" fill="#a5daf2" />
    </>
  ),
  instant: (
    <>
      <circle cx="24" cy="25" r="19" fill="#f2b63c" />
      <circle cx="24" cy="25" r="16" fill="#fff4dc" />
      <path
        d="M24 25V9a16 16 0 0 1 13.9 8zM24 25l13.9 8A16 16 0 0 1 24 41zM24 25l-13.9 8A16 16 0 0 1 10.1 17z"
        fill="#ff9a6b"
      />
      <circle cx="24" cy="25" r="5.5" fill="#c2361f" />
      <path d="m24 13-5-9h10z" fill="#c2361f" />
    </>
  ),
  raffle: (
    <>
      <path d="M8 20 34 8l3 6a3.6 3.6 0 0 0 3 6.5l3 6-26 12-3-6a3.6 3.6 0 0 0-3-6.5z" fill="#ff8257" />
      <path d="m30 10 9 18" stroke="#ffe9d6" strokeWidth="2.2" strokeDasharray="2.6 2.6" />
      <path d="m20 20 2.2 2.5 3.3-.6-1.7 2.9 1.6 3-3.3-.7-2.4 2.4-.4-3.4-3-1.6 3.1-1.3z" fill="#fff3d6" />
    </>
  ),
};

export function glyphOf(kind: string): ReactNode {
  return GLYPHS[kind] ?? GLYPHS.parcel;
}

export function Glyph({ kind, size }: { kind: string; size: number }) {
  return (
    <svg
      viewBox={GLYPH_FIELD}
      width={size}
      height={size}
      className="picture"
      aria-hidden="true"
      focusable="false"
    >
      {glyphOf(kind)}
    </svg>
  );
}
