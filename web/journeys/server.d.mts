export const binary: string;
export function startServer(): Promise<{ url: string; data: string; stop(): Promise<void> }>;
