/** A world in a glass case: hills under a lamp. */
export function Logo({ size = 30 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true" focusable="false">
      <path
        d="M16 3.5 27.5 9.9v11.9L16 28.5 4.5 21.8V9.9Z"
        fill="var(--dio-raised)"
        stroke="var(--dio-accent)"
        strokeWidth="1.8"
        strokeLinejoin="round"
      />
      <path
        d="M5 10.3 16 16.4l11-6.1M16 16.4v11.5"
        stroke="var(--dio-accent)"
        strokeWidth="1.3"
        strokeLinejoin="round"
        opacity="0.55"
      />
      <path d="m6.6 19.6 4.8-4.5 3.3 2.7 4.1-5 6.6 6.8L16 25Z" fill="var(--dio-brand)" />
      <circle cx="20.6" cy="9.4" r="1.9" fill="var(--dio-brand)" opacity="0.75" />
    </svg>
  );
}
