// What players will see: the games of their own page, with the prizes of the draft. A press turns them to a place by chance;
// nothing is drawn.
import { lazy, Suspense, useMemo, useState } from 'react';
import { firstGame } from '../../play/games/slots';
import type { Phase } from '../../play/games/useMotion';
import type { Draft } from '../logic/draft';
import { facesOf } from '../logic/wheel';
import { Loading } from '../parts/states';
import { useText } from '../text';
import styles from './GamePreview.module.css';
import '../../play/style/games.css';

const VIEWS = {
  wheel: lazy(() => import('../../play/games/Wheel').then(({ Wheel }) => ({ default: Wheel }))),
  grid: lazy(() => import('../../play/games/Grid').then(({ Grid }) => ({ default: Grid }))),
  reels: lazy(() => import('../../play/games/Reels').then(({ Reels }) => ({ default: Reels }))),
  box: lazy(() => import('../../play/games/Box').then(({ Box }) => ({ default: Box }))),
};

const IDLE: Phase = { kind: 'idle' };

export function GamePreview({ draft }: { draft: Draft }) {
  const { t, language } = useText();
  const [phase, setPhase] = useState<Phase>(IDLE);
  const faces = useMemo(() => facesOf(draft, t('odds.none'), language === 'en'), [draft, t, language]);
  const game = firstGame(draft.game, faces.length, draft.pity !== null);
  const View = VIEWS[game];
  const names = faces.map(({ name }) => name || t('odds.none')).join(', ');
  const turn = () => {
    const face = faces[Math.floor(Math.random() * faces.length)];
    if (face) setPhase({ kind: 'landing', slot: face.slot, won: !face.miss });
  };
  return (
    <section aria-label={t('wheel.label', { names })}>
      <div className={styles.stage}>
        <Suspense fallback={<Loading />}>
          <View
            key={`${game} ${faces.length}`}
            slots={faces}
            phase={phase}
            still={false}
            onLanded={() => setPhase(IDLE)}
            onClick={() => undefined}
            onPress={turn}
            canPress={phase.kind === 'idle'}
            ready
            pressLabel={t('wheel.press')}
          />
        </Suspense>
      </div>
      <p className="soft fine">{t(`wheel.as.${game}`)}</p>
    </section>
  );
}
