// Ordering a cart: a token for each line, with its picture read where there is one, then one attempt for all of them. What
// was under way when the page was left or loaded anew goes on by itself.

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { CaptchaAnswer, SaleBody } from '../../api/wire';
import { saleKeys } from '../keys';
import {
  attempt,
  CART,
  pendingAttempt,
  pictureIsToBlame,
  type Queued,
  type TokenLine,
  tokenFor,
} from './attempt';
import type { CartLine } from './cart';

export type CheckoutStep =
  | { at: 'resting' }
  /** The picture of this sale is being read. */
  | { at: 'reading'; sale: SaleBody; busy: boolean }
  | { at: 'asking' }
  | { at: 'queued'; queued: Queued };

export interface Checkout {
  step: CheckoutStep;
  error: unknown;
  /** Whether what went wrong leaves it open whether something was ordered. */
  open: boolean;
  /** The line that it went wrong with, where that is known. */
  blamed: SaleBody | undefined;
  order(lines: ReadonlyArray<{ line: CartLine; sale: SaleBody }>): void;
  /** The picture that is being read, read. */
  answer(captcha: CaptchaAnswer): void;
  stopReading(): void;
}

const RESTING: CheckoutStep = { at: 'resting' };
const QUEUED: CheckoutStep = { at: 'queued', queued: { waiting: undefined, lost: false } };

/** `ordered` hears of the order, and of the sales that are in it. */
export function useCheckout(signedIn: boolean, ordered: (order: string, sales: string[]) => void): Checkout {
  const client = useQueryClient();
  const [step, setStep] = useState<CheckoutStep>(() => (signedIn && pendingAttempt(CART) ? QUEUED : RESTING));
  const [error, setError] = useState<unknown>();
  const [blamed, setBlamed] = useState<SaleBody>();
  const wanted = useRef<ReadonlyArray<{ line: CartLine; sale: SaleBody }>>([]);
  const tokens = useRef(new Map<string, string>());
  const gone = useRef(false);
  const then = useRef(ordered);
  then.current = ordered;

  const send = useCallback(async (lines: TokenLine[] | undefined) => {
    const sales = (lines ?? pendingAttempt(CART)?.lines ?? []).map(({ sale }) => sale);
    const queued = (state: Queued) => setStep({ at: 'queued', queued: state });
    const order = await attempt(CART, lines, queued, () => gone.current);
    if (order && !gone.current) then.current(order, sales);
  }, []);

  /** Goes on from where it is; `captcha` is that of the next line without a token. */
  const go = useCallback(
    async (captcha?: CaptchaAnswer) => {
      setError(undefined);
      let next: SaleBody | undefined;
      try {
        if (pendingAttempt(CART)) {
          setStep(QUEUED);
          return await send(undefined);
        }
        let read = captcha;
        for (;;) {
          next = wanted.current.find(({ sale }) => !tokens.current.has(sale.id))?.sale;
          if (!next) break;
          if (next.gate.captcha && !read) return setStep({ at: 'reading', sale: next, busy: false });
          setStep(next.gate.captcha ? { at: 'reading', sale: next, busy: true } : { at: 'asking' });
          tokens.current.set(next.id, await tokenFor(next.id, read));
          read = undefined;
        }
        setStep({ at: 'asking' });
        const lines = wanted.current.map(({ line, sale }) => ({
          ...line,
          token: tokens.current.get(sale.id) ?? '',
          price_minor: sale.price_minor,
        }));
        tokens.current.clear();
        await send(lines);
      } catch (failure) {
        if (gone.current) return;
        setError(failure);
        setBlamed(next);
        setStep(next && pictureIsToBlame(failure) ? { at: 'reading', sale: next, busy: false } : RESTING);
      } finally {
        void client.invalidateQueries({ queryKey: saleKeys.all });
      }
    },
    [client, send],
  );

  useEffect(() => {
    gone.current = false;
    if (signedIn && pendingAttempt(CART)) void go();
    return () => {
      gone.current = true;
    };
  }, [signedIn, go]);

  return {
    step,
    error,
    open: error !== undefined && pendingAttempt(CART) !== undefined,
    blamed,
    order: (lines) => {
      wanted.current = lines;
      tokens.current.clear();
      void go();
    },
    answer: (captcha) => void go(captcha),
    stopReading: () => setStep(RESTING),
  };
}
