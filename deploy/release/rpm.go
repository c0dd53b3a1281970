// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"strings"
	"time"

	"github.com/google/rpmpack"
)

// host is a package for plain hosts. Its files are those of the Debian package of the same name.
type host struct {
	name, summary, requires   string
	postinstall, preuninstall string
}

var hosts = []host{
	{
		name: "phasewise-canary", summary: "Measures the latency of Kafka clusters, end to end and by phase", requires: "java-headless >= 1:17",
		postinstall:  "systemd-sysusers phasewise.conf\nif [ -d /run/systemd/system ]; then\n  systemctl daemon-reload\n  systemctl try-restart phasewise-canary.service\nfi\n",
		preuninstall: "if [ \"$1\" = 0 ] && [ -d /run/systemd/system ]; then\n  systemctl disable --now phasewise-canary.service\nfi\n",
	},
	{
		name: "phasewise-exporter", summary: "Agent that makes a Kafka broker answer Prometheus, with the time of each request by phase",
		requires: "java-headless",
	},
}

// rpm packs files for hosts with rpm, and the directories in which there are none: the canary keeps what it learned in one.
func (h host) rpm(version string, files tree, at time.Time) ([]byte, error) {
	var requires rpmpack.Relations
	if err := requires.Set(h.requires); err != nil {
		return nil, err
	}
	made, err := rpmpack.NewRPM(rpmpack.RPMMetaData{
		Name: h.name, Version: ordered(version), Release: "1", Arch: "noarch", Summary: h.summary, Description: h.summary, Licence: "Apache-2.0",
		URL: home, Packager: "The Phasewise Authors", Vendor: "The Phasewise Authors", Compressor: "gzip", BuildHost: "localhost", BuildTime: at,
		Requires: requires,
	})
	if err != nil {
		return nil, err
	}
	made.AddPostin(h.postinstall)
	made.AddPreun(h.preuninstall)
	for name, file := range files {
		if file.isDir {
			// Others are those of the host or of another package: theirs stay as they are.
			if files.isEmpty(name) {
				made.AddFile(rpmpack.RPMFile{
					Name: "/" + name, Mode: 0o040000 | uint(file.mode), Owner: "root", Group: "root", MTime: uint32(at.Unix()),
				})
			}
			continue
		}
		kind := rpmpack.GenericFile
		switch {
		case strings.HasPrefix(name, "etc/"):
			kind = rpmpack.ConfigFile | rpmpack.NoReplaceFile
		case strings.HasPrefix(name, "usr/share/doc/") && strings.HasSuffix(name, "/copyright"):
			kind = rpmpack.LicenceFile
		case strings.HasPrefix(name, "usr/share/doc/"):
			kind = rpmpack.DocFile
		}
		made.AddFile(rpmpack.RPMFile{
			Name: "/" + name, Body: file.content, Mode: 0o100000 | uint(file.mode), Owner: "root", Group: "root", MTime: uint32(at.Unix()), Type: kind,
		})
	}
	var packed bytes.Buffer
	err = made.Write(&packed)
	return packed.Bytes(), err
}
