// Before the first paint: the theme that was chosen in this browser, if one was.
try {
  const theme = localStorage.getItem("lodge:theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // No storage, no choice: the system decides.
}
