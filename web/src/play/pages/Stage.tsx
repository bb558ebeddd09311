// The stage: a game, its button, one draw or ten, and what came out.

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { hasCode } from '../../api/problem';
import type { ChancesBody, DrawResponse, PlayBody } from '../../api/wire';
import { chancesLine } from '../chances';
import { drawOnce, drawSeen, pendingDraw, unseenDraw } from '../draw';
import { Box } from '../games/Box';
import { Grid } from '../games/Grid';
import { Reels } from '../games/Reels';
import { firstGame, type Game, gamesFor, slotsOf } from '../games/slots';
import { bestDraw } from '../games/tiers';
import type { Phase } from '../games/useMotion';
import { Wheel } from '../games/Wheel';
import { activityKeys, myKeys } from '../keys';
import { SoundSwitch } from '../parts/SoundSwitch';
import { Refused } from '../parts/states';
import { useStill } from '../parts/useOnline';
import { chancesRead } from '../reads';
import { signInPath, useSession } from '../session';
import { useSound } from '../sound/useSound';
import type { Standing } from '../standing';
import { useText } from '../text';
import { useChances } from '../useChances';
import { Guarantee } from './Guarantee';
import { type Again, Result } from './Result';

const VIEWS = { wheel: Wheel, grid: Grid, reels: Reels, box: Box };
const TEN = 10;

interface StageProps {
  activity: PlayBody;
  /** The rule tree that picked it: draws go by way of it. */
  tree: string | undefined;
  standing: Standing;
  /** From the press until what came out is shown. */
  onTurning(turning: boolean): void;
}

export function Stage({ activity, tree, standing, onTurning }: StageProps) {
  const { t } = useText();
  const { me } = useSession();
  const { pathname } = useLocation();
  const still = useStill();
  const client = useQueryClient();
  const slots = useMemo(() => slotsOf(activity, t('miss')), [activity, t]);
  const [game, setGame] = useState<Game>(() =>
    firstGame(activity.game, slots.length, activity.odds?.pity != null),
  );
  const [phase, setPhase] = useState<Phase>({ kind: 'idle' });
  const [told, setTold] = useState<DrawResponse>();
  const [shown, setShown] = useState(false);
  const [error, setError] = useState<unknown>();
  const [lost, setLost] = useState(false);
  const [skipped, setSkipped] = useState(false);
  const { sound } = useSound();
  const { chances, expect } = useChances(activity.id, me !== undefined);
  const who = useMemo(
    () => ({ activity: activity.id, user: me?.id ?? '', tree }),
    [activity.id, me?.id, tree],
  );
  const busy = phase.kind !== 'idle';
  const open = standing === 'running';
  const turning = busy && !shown;
  useEffect(() => onTurning(turning), [turning, onTurning]);

  const draw = useCallback(
    async (draws: number) => {
      setError(undefined);
      setTold(undefined);
      setShown(false);
      setSkipped(false);
      setPhase({ kind: 'turning' });
      sound('press');
      try {
        const known = client.getQueryData(chancesRead(activity.id, true).queryKey);
        const answer = await drawOnce(who, draws, known?.drawn === 0, () => setLost(true));
        client.setQueryData(chancesRead(activity.id, true).queryKey, (before) => ({
          ...before,
          ...answer.chances,
        }));
        setTold(answer);
        const { draw: best } = bestDraw(answer.draws, activity);
        setPhase({ kind: 'landing', slot: best?.slot ?? 0, won: best?.prize != null });
      } catch (failure) {
        setPhase({ kind: 'idle' });
        setError(failure);
        void client.invalidateQueries({ queryKey: myKeys.chances(activity.id) });
        void client.invalidateQueries({ queryKey: activityKeys.one(activity.id) });
      } finally {
        setLost(false);
      }
    },
    [activity, who, client, sound],
  );
  const landed = () => {
    setShown(true);
    if (told) {
      drawSeen(who, told);
      expect(told);
    }
    void client.invalidateQueries({ queryKey: myKeys.draws(activity.id) });
    void client.invalidateQueries({ queryKey: myKeys.wins });
    void client.invalidateQueries({ queryKey: myKeys.waitingWins });
    void client.invalidateQueries({ queryKey: myKeys.points });
    void client.invalidateQueries({ queryKey: activityKeys.leaders(activity.id) });
  };
  // The games wait for it in effects: the same function for them whatever is drawn anew here.
  const latestLanded = useRef(landed);
  latestLanded.current = landed;
  const onLanded = useCallback(() => latestLanded.current(), []);

  // A draw whose answer was lost with the page is finished first: the same id, the same outcome. One whose answer came
  // after the page was left is shown as it is.
  const resumed = useRef(false);
  useEffect(() => {
    if (!me || resumed.current) return;
    const unseen = unseenDraw(who);
    const pending = open ? pendingDraw(who) : undefined;
    if (!unseen && !pending) return;
    resumed.current = true;
    if (!unseen) {
      void draw(pending?.draws ?? 1);
      return;
    }
    setTold(unseen);
    setShown(true);
    drawSeen(who, unseen);
  }, [me, open, who, draw]);

  const click = useCallback(() => sound('click'), [sound]);
  const close = () => {
    setShown(false);
    setPhase({ kind: 'idle' });
  };
  const left = chances?.left ?? 0;
  const ready = open && me !== undefined && chances !== undefined;
  // What was begun and never answered can be finished, also when it took the last chance.
  const begun = ready && !busy ? pendingDraw(who) : undefined;
  const canPress = ready && !busy && (left > 0 || begun !== undefined);
  const timesAgain = told && told.draws.length > 1 && left >= TEN ? TEN : 1;
  const again: Again | undefined =
    open && left > 0
      ? {
          draws: timesAgain,
          draw: () => {
            close();
            void draw(timesAgain);
          },
        }
      : undefined;
  const View = VIEWS[game];
  const ten = activity.odds?.ten ?? false;
  return (
    <section className="stage" aria-label={t('stage')}>
      <SoundSwitch />
      <View
        slots={slots}
        phase={phase}
        still={still || skipped}
        onLanded={onLanded}
        onClick={click}
        onPress={() => void draw(1)}
        canPress={canPress}
        ready={ready}
        pressLabel={busy ? t('stage.turning') : t('stage.draw')}
      />
      <div className="stage-foot">
        {me ? <ChancesLine chances={chances} /> : <SignInFirst path={signInPath(pathname)} />}
        {me && ten && (
          <button
            type="button"
            className="button gold"
            disabled={!ready}
            aria-disabled={!canPress || left < TEN}
            onClick={() => canPress && left >= TEN && void draw(TEN)}
          >
            {t('stage.ten')}
          </button>
        )}
      </div>
      {me && <Guarantee activity={activity} held={turning} />}
      <Refused error={error} />
      {error !== undefined && begun && !hasCode(error, 'unauthenticated', 'banned') && (
        <p className="quiet" data-testid="stage-open">
          {t('stage.open')}
        </p>
      )}
      {turning && !still && (
        <button type="button" className="button small ghost" onClick={() => setSkipped(true)}>
          {t('stage.skip')}
        </button>
      )}
      <p className={lost ? 'stage-lost' : 'unseen'} role="status" aria-live="polite">
        {turning && t(lost ? 'stage.lost' : 'stage.turning')}
      </p>
      <Views games={gamesFor(slots.length)} game={game} choose={setGame} disabled={busy} />
      {shown && told && <Result told={told} activity={activity} onClose={close} again={again} />}
    </section>
  );
}

function SignInFirst({ path }: { path: string }) {
  const { t } = useText();
  return (
    <Link to={path} className="button gold">
      {t('stage.signIn')}
    </Link>
  );
}

function ChancesLine({ chances }: { chances: ChancesBody | undefined }) {
  const { t } = useText();
  if (!chances) return <p className="chances">{t('loading')}</p>;
  return (
    <p className="chances" data-testid="chances">
      <b>{chancesLine(chances, t)}</b>
    </p>
  );
}

interface ViewsProps {
  games: Game[];
  game: Game;
  choose(game: Game): void;
  disabled: boolean;
}

/** The same draw in another dress, for whoever likes it better. */
function Views({ games, game, choose, disabled }: ViewsProps) {
  const { t } = useText();
  return (
    <fieldset className="views" disabled={disabled}>
      <legend className="unseen">{t('views')}</legend>
      {games.map((one) => (
        <label key={one}>
          <input type="radio" name="view" checked={one === game} onChange={() => choose(one)} />
          <span>{t(`view.${one}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}
