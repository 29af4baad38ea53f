export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <path d="M4 17 16 6.5 28 17" />
      <path d="M8 15.5V26h16V15.5" />
      <circle cx="16" cy="20" r="1.9" />
    </svg>
  );
}
