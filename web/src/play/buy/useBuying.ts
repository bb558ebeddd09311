// Buying, from pressing the button to the order: the waiting room, the picture, the token, the attempt. What was under way
// when the page was left or loaded anew goes on by itself.

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { hasCode } from '../../api/problem';
import type { CaptchaAnswer, SaleBody } from '../../api/wire';
import { saleKeys } from '../keys';
import { attempt, pendingAttempt, pictureIsToBlame, type Queued, type TokenLine, tokenFor } from './attempt';
import { keptPlace, type RoomView, roomWorld, stayInRoom } from './room';

export type Step =
  | { at: 'resting' }
  /** The picture is being read. */
  | { at: 'reading' }
  /** Token and attempt are asked for. */
  | { at: 'asking' }
  | { at: 'queued'; queued: Queued };

export interface Buying {
  step: Step;
  /** Where one stands in the waiting room; nothing while one is not in it. */
  room: RoomView | 'joining' | undefined;
  error: unknown;
  /** Whether what went wrong leaves it open whether something was bought. */
  open: boolean;
  /** Takes a place in the waiting room. */
  join(): void;
  /** Goes on to the picture where there is one, else buys. */
  buy(quantity: number): void;
  /** Buys, with the picture read. */
  answer(quantity: number, captcha: CaptchaAnswer): void;
  stopReading(): void;
  /** What went wrong was read. */
  dismiss(): void;
}

const RESTING: Step = { at: 'resting' };

export function useBuying(sale: SaleBody, signedIn: boolean, ordered: (order: string) => void): Buying {
  const { id, gate, price_minor } = sale;
  const client = useQueryClient();
  const [step, setStep] = useState<Step>(() =>
    signedIn && pendingAttempt(id) ? { at: 'queued', queued: { waiting: undefined, lost: false } } : RESTING,
  );
  const [error, setError] = useState<unknown>();
  const [room, setRoom] = useState<RoomView | 'joining'>();
  const [inRoom, setInRoom] = useState(signedIn && gate.room && keptPlace(id) !== undefined);
  const gone = useRef(false);
  const then = useRef(ordered);
  then.current = ordered;

  useEffect(() => {
    if (!inRoom) return;
    setRoom('joining');
    return stayInRoom(roomWorld(id), (view) => {
      setRoom(view);
      const over = 'body' in view ? view.body.state === 'left' : !view.again;
      if (over) setInRoom(false);
    });
  }, [inRoom, id]);

  /** Token where there is none yet, attempt, and whatever comes of it. */
  const go = useCallback(
    async (begin: { quantity: number; price_minor: number; captcha?: CaptchaAnswer } | undefined) => {
      setError(undefined);
      try {
        let asked: TokenLine[] | undefined;
        if (begin) {
          setStep({ at: 'asking' });
          const token = await tokenFor(id, begin.captcha);
          const { quantity, price_minor } = begin;
          asked = [{ sale: id, quantity, token, price_minor }];
        }
        const queued = (state: Queued) => setStep({ at: 'queued', queued: state });
        const order = await attempt(id, asked, queued, () => gone.current);
        if (order && !gone.current) then.current(order);
      } catch (failure) {
        if (gone.current) return;
        setError(failure);
        setStep(pictureIsToBlame(failure) ? { at: 'reading' } : RESTING);
        if (hasCode(failure, 'place_needed', 'not_your_turn')) setInRoom(true);
      } finally {
        void client.invalidateQueries({ queryKey: saleKeys.one(id) });
      }
    },
    [id, client],
  );

  useEffect(() => {
    gone.current = false;
    if (signedIn && pendingAttempt(id)) void go(undefined);
    return () => {
      gone.current = true;
    };
  }, [id, signedIn, go]);

  return {
    step,
    room,
    error,
    open: error !== undefined && pendingAttempt(id) !== undefined,
    join: () => {
      setError(undefined);
      setInRoom(true);
    },
    buy: (quantity) => {
      // What was sent and never answered comes first: it may be an order already.
      if (pendingAttempt(id)) void go(undefined);
      else if (gate.captcha) {
        setError(undefined);
        setStep({ at: 'reading' });
      } else void go({ quantity, price_minor });
    },
    answer: (quantity, captcha) => void go({ quantity, price_minor, captcha }),
    stopReading: () => setStep(RESTING),
    dismiss: () => setError(undefined),
  };
}
