package daemon

import (
	"context"
	"errors"
	"fmt"
)

// Alone runs f while no other process may serve the lakehouse. An idle engine is asked to stop first.
func Alone(ctx context.Context, lakehouse string, f func(context.Context) error) error {
	p := PathsOf(lakehouse)
	if _, running := Running(lakehouse); running {
		n, err := Sessions(p)
		if err != nil {
			return err
		}
		if n > 0 {
			return fmt.Errorf("%s is in use: its engine has %d sessions; close the notebooks, or run `lakelab engine stop --lakehouse %s`", lakehouse, n, lakehouse)
		}
		if err := Stop(ctx, lakehouse); err != nil {
			return err
		}
	}
	lock, err := hold(p)
	if errors.Is(err, ErrRunning) {
		return fmt.Errorf("%s is in use by another process", lakehouse)
	}
	if err != nil {
		return err
	}
	defer lock.Close()
	return f(ctx)
}
