import { Component, type ReactNode, useEffect } from 'react';
import { Lost } from '../../api/problem';
import { reloadWhenBack } from '../../routing/whenBack';
import { useText } from '../text';
import { Cloud } from './art';

type Trouble = 'none' | 'lost' | 'broken';

/**
 * A page that broke says so and offers to start again, instead of leaving a blank screen. One that could not be fetched
 * waits for the connection and goes on by itself.
 */
export class Fence extends Component<{ children: ReactNode }, { trouble: Trouble }> {
  override state: { trouble: Trouble } = { trouble: 'none' };

  static getDerivedStateFromError(error: unknown): { trouble: Trouble } {
    return { trouble: error instanceof Lost ? 'lost' : 'broken' };
  }

  override render() {
    const { trouble } = this.state;
    if (trouble === 'none') return this.props.children;
    return trouble === 'lost' ? <Unfetched /> : <Broken />;
  }
}

function Unfetched() {
  const { t } = useText();
  useEffect(() => reloadWhenBack(), []);
  return (
    <div className="state" role="alert">
      <Cloud />
      <h2>{t('error.title')}</h2>
      <p>{t('error.lost')}</p>
      <Again />
    </div>
  );
}

function Broken() {
  const { t } = useText();
  return (
    <div className="state" role="alert">
      <h2>{t('error.page')}</h2>
      <Again />
    </div>
  );
}

function Again() {
  const { t } = useText();
  return (
    <button type="button" className="button" onClick={() => location.reload()}>
      {t('error.reload')}
    </button>
  );
}
