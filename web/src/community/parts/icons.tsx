// The community's small drawings. Decoration: a screen reader does not hear of them.
import type { ReactNode } from 'react';

function Icon({
  size = 20,
  filled = false,
  children,
}: {
  size?: number;
  filled?: boolean;
  children: ReactNode;
}) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill={filled ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}

export const HeartIcon = ({ full, size }: { full: boolean; size?: number }) => (
  <Icon filled={full} {...(size && { size })}>
    <path d="M12 19.6C5.7 15.6 3.8 12.4 4 9.4 4.3 6.6 6.3 4.9 8.5 4.9c1.5 0 2.8.8 3.5 2.1.7-1.3 2-2.1 3.5-2.1 2.2 0 4.2 1.7 4.5 4.5.2 3-1.7 6.2-8 10.2z" />
  </Icon>
);
export const VoteIcon = ({ full, size }: { full: boolean; size?: number }) => (
  <Icon filled={full} {...(size && { size })}>
    <path d="M12 4.5 5 12.2h4.2v7h5.6v-7H19z" />
  </Icon>
);
export const CommentIcon = () => (
  <Icon>
    <path d="M5 6.5C5 5.7 5.7 5 6.5 5h11c.8 0 1.5.7 1.5 1.5v7.6c0 .8-.7 1.5-1.5 1.5h-6.3L7.5 19v-3.4h-1c-.8 0-1.5-.7-1.5-1.5z" />
  </Icon>
);
export const ShareIcon = () => (
  <Icon>
    <path d="M12 14.5V4.5M8.5 7.7 12 4.2l3.5 3.5M6 11.5v7h12v-7" />
  </Icon>
);
export const DotsIcon = () => (
  <Icon filled>
    <circle cx="5.5" cy="12" r="1" />
    <circle cx="12" cy="12" r="1" />
    <circle cx="18.5" cy="12" r="1" />
  </Icon>
);
export const PenIcon = () => (
  <Icon>
    <path d="m5 19 .9-4L15.5 5.4a1.7 1.7 0 0 1 2.4 0l.7.7a1.7 1.7 0 0 1 0 2.4L9 18.1z" />
  </Icon>
);
export const SearchIcon = () => (
  <Icon>
    <circle cx="11" cy="11" r="6.2" />
    <path d="m15.6 15.6 4 4" />
  </Icon>
);
export const BellIcon = () => (
  <Icon>
    <path d="M6.5 16.5V11a5.5 5.5 0 0 1 11 0v5.5l1.3 1.5H5.2zM10.2 20.2a2 2 0 0 0 3.6 0" />
  </Icon>
);
export const LetterIcon = () => (
  <Icon>
    <path d="M4.5 7c0-.8.7-1.5 1.5-1.5h12c.8 0 1.5.7 1.5 1.5v10c0 .8-.7 1.5-1.5 1.5H6c-.8 0-1.5-.7-1.5-1.5zM5 7.2l7 5.6 7-5.6" />
  </Icon>
);
export const GearIcon = () => (
  <Icon>
    <path d="M4.5 7.5h9M17.5 7.5h2M4.5 16.5h2M10.5 16.5h9" />
    <circle cx="15.5" cy="7.5" r="2" />
    <circle cx="8.5" cy="16.5" r="2" />
  </Icon>
);
export const LinkIcon = () => (
  <Icon size={18}>
    <path d="M10.3 13.7a3.6 3.6 0 0 0 5.1 0l2.6-2.6a3.6 3.6 0 0 0-5.1-5.1l-1.1 1.1M13.7 10.3a3.6 3.6 0 0 0-5.1 0L6 12.9a3.6 3.6 0 0 0 5.1 5.1l1.1-1.1" />
  </Icon>
);
