import styles from './rendered.module.css';

/** A text that the server rendered from Markdown and sanitised: a short list of tags, no scripts, no styles. */
export function Rendered({ html }: { html: string }) {
  return (
    <div
      className={styles.rendered}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the server, and the page's policy runs nothing inline
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
