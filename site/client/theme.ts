{
  // The dashboard keeps its choice under the same name, so that both look alike. Without one the system decides.
  const kept = localStorage.getItem("mantine-color-scheme-value");
  if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
}
