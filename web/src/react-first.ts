// A chunk of its own, which stays in the browser's cache when only the dashboard changes.
import "react";
import "react-dom/client";
