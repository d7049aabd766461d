package wire

// Requests outside of a session, from commands and kernels.
const (
	OpStatus     = "status"     // {} -> {sessions int64, protocol int64}
	OpEndSession = "endSession" // {session string}
	OpShutdown   = "shutdown"   // {"idle": bool}: the engine ends after its reply; with idle only if nothing uses it → {"stopped": bool}
)
