package lake

// What tests of crashes, power cuts and full disks hook into; in the program both do nothing.
var (
	// reached is called at named points of a write, where a process may be killed.
	reached = func(point string) {}
	// flushed is called when a file's content or a folder's names are safe from a power cut.
	flushed = func(path string) {}
)
