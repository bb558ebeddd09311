// The lists of posts: latest, of those whom one follows, hot, featured.
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link, NavLink, useParams } from 'react-router';
import { hasCode } from '../../api/problem';
import Lost from '../../play/pages/Lost';
import { Head } from '../../play/parts/Head';
import { Empty } from '../../play/parts/states';
import { signInPath, useSession } from '../../play/session';
import { useText } from '../../play/text';
import { communityKeys, type ListName } from '../keys';
import { PenIcon, SearchIcon } from '../parts/icons';
import { NewsLinks } from '../parts/NewsLinks';
import { PostList } from '../parts/PostList';
import { Suggestions } from '../parts/Suggestions';
import { postsRead } from '../reads';
import styles from './Feed.module.css';

const LISTS: readonly ListName[] = ['latest', 'following', 'hot', 'featured'];

const pathOf = (list: ListName) => (list === 'latest' ? '/community' : `/community/${list}`);

export default function Feed() {
  const { list = 'latest' } = useParams();
  const known = LISTS.find((one) => one === list);
  return known ? <Lists key={known} list={known} /> : <Lost />;
}

function Lists({ list }: { list: ListName }) {
  const { t } = useText();
  const client = useQueryClient();
  const { me, asking } = useSession();
  // Everybody has a list of their own of those whom they follow: without a name there is nothing to ask for.
  const mine = list === 'following';
  const query = useInfiniteQuery({ ...postsRead(list), enabled: !mine || me !== undefined });
  const restart = () => {
    window.scrollTo(0, 0);
    void client.resetQueries({ queryKey: communityKeys.list(list), exact: true });
  };
  return (
    <>
      <Head title={t('feed.title')}>
        <div className={styles.tools}>
          <Link to="/search" className="icon-button" aria-label={t('search.title')}>
            <SearchIcon />
          </Link>
          <NewsLinks />
        </div>
        <Link to="/write" className={`button small primary ${styles.write}`}>
          <PenIcon />
          {t('feed.write')}
        </Link>
      </Head>
      <p className={styles.hello}>{t('feed.text')}</p>
      <nav className={styles.lists} aria-label={t('feed.lists')}>
        {LISTS.map((one) => (
          <NavLink key={one} to={pathOf(one)} end>
            {t(`feed.${one}`)}
          </NavLink>
        ))}
      </nav>
      {list === 'hot' && <p className={styles.hint}>{t('feed.hotHint')}</p>}
      {(mine && !me && !asking) || hasCode(query.error, 'unauthenticated') ? (
        <Empty title={t(mine ? 'feed.followingSignIn' : 'feed.private')}>
          <p>{t(mine ? 'feed.followingSignInText' : 'feed.privateText')}</p>
          <Link to={signInPath(pathOf(list))} className="button primary">
            {t('nav.signIn')}
          </Link>
        </Empty>
      ) : (
        <PostList
          query={query}
          ranked={list === 'hot'}
          restart={restart}
          empty={
            <Empty title={t(`feed.empty.${list}`)}>
              <p>{t(`feed.emptyText.${list}`)}</p>
              {mine && <Suggestions />}
            </Empty>
          }
        />
      )}
      <Link to="/write" className={`button primary ${styles.float}`}>
        <PenIcon />
        {t('feed.write')}
      </Link>
    </>
  );
}
