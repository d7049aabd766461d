package trinodoor

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
)

// Connect tells people how to come to this door with trino-cli, DBeaver (and whatever else speaks JDBC) and Python.
func (d *Door) Connect() string {
	u, err := url.Parse(d.URL())
	if err != nil {
		return err.Error()
	}
	cli := "trino --server " + d.URL() + " --user NAME --catalog lakehouse"
	jdbc := "jdbc:trino://" + u.Host + "/lakehouse"
	who := "any user name, no password"
	python := fmt.Sprintf(`trino.dbapi.connect(host="%s", port=%s, user="NAME", catalog="lakehouse")`, u.Hostname(), u.Port())
	if d.guard != nil {
		certificate, err := filepath.Abs(d.guard.files.Certificate)
		if err != nil {
			return err.Error()
		}
		cli += " --password --truststore-path " + certificate
		jdbc += "?SSL=true&SSLTrustStorePath=" + url.QueryEscape(certificate)
		who = "a user of the password file and his password"
		python = fmt.Sprintf(`trino.dbapi.connect(host="%s", port=%s, http_scheme="https", auth=trino.auth.BasicAuthentication("NAME", "…"), verify="%s", catalog="lakehouse")`,
			u.Hostname(), u.Port(), certificate)
	}
	return strings.Join([]string{
		"Trino clients come to " + d.URL() + ":",
		"  trino-cli   " + cli,
		"  DBeaver     new connection, Trino; JDBC URL " + jdbc + "; " + who,
		"  Python      " + python,
		"trino-cli is the file io.trino:trino-cli:" + version + ":executable of Maven Central (trino.io, Command line interface), Python's package is trino.",
	}, "\n") + "\n"
}
