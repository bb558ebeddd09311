import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useText } from '../text';
import { Back } from './art';
import { useTitle } from './useTitle';

/** A page's heading, with the way back. */
export function Head({ title, back, children }: { title: string; back?: string; children?: ReactNode }) {
  const { t } = useText();
  useTitle(title);
  return (
    <div className="head">
      {back && (
        <Link to={back} className="icon-button" aria-label={t('back')}>
          <Back />
        </Link>
      )}
      <h1>{title}</h1>
      {children}
    </div>
  );
}
