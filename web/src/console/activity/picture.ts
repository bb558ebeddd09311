import { API_ROOT, ask } from '../../api/client';
import type { PictureResponse } from '../../api/wire';
import { currentLanguage } from '../../i18n';

/** What the server takes; the bytes are judged there. */
export const PICTURE_TYPES = 'image/png,image/jpeg,image/webp';

/** Uploads a picture. The same picture again is the one there is, so sending it twice does no harm. */
export function uploadPicture(file: File): Promise<PictureResponse> {
  return ask<PictureResponse>(async (signal) => {
    const response = await fetch(`${API_ROOT}/pictures`, {
      method: 'POST',
      headers: { 'Content-Type': file.type, 'Accept-Language': currentLanguage() },
      body: file,
      signal,
    });
    const body = await response.json().catch(() => undefined);
    return response.ok ? { data: body as PictureResponse, response } : { error: body, response };
  });
}
