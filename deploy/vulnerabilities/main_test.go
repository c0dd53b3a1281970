// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRangesAreThoseOfMaven(t *testing.T) {
	for _, each := range []struct {
		version, ranges string
		in              bool
	}{
		{"4.1.2", "[2.8.0,3.9.2),[4.0.0,4.0.2),[4.1.0,4.1.2)", false},
		{"4.1.1", "[2.8.0,3.9.2),[4.0.0,4.0.2),[4.1.0,4.1.2)", true},
		{"3.9.1", "[2.8.0,3.9.2),[4.0.0,4.0.2)", true},
		{"2.22.4", "(,2.9.0], [2.10.0,2.22.4]", true},
		{"2.22.4", "(,2.22.4)", false},
		{"1.0", "[1.0.0]", true},
		{"1.0.1", "[1.0.0]", false},
		{"1.0", "(1.0,)", false},
		{"10.1", "[9.9,)", true},
		{"5.0", "(,)", true},
		{"4.1.5", "(,4.1.5.Final]", true},
		{"4.1.5.Final", "(,4.1.5)", false},
		{"2.0-M1", "[2.0,)", false},
		{"2.0-rc1", "(,2.0)", true},
		{"2.0-rc2", "(,2.0-rc1]", false},
		{"2.0-beta", "(,2.0-rc1]", true},
	} {
		in, err := inRange(each.version, each.ranges)
		if err != nil || in != each.in {
			t.Errorf("%s in %s: %v, %v; want %v", each.version, each.ranges, in, err, each.in)
		}
	}
}

func TestARangeThatCannotBeReadIsNoRangeWithoutTheVersion(t *testing.T) {
	for _, ranges := range []string{"", ">=1.0 <2.0", "[1.0", "1.0"} {
		if _, err := inRange("1.0", ranges); err == nil {
			t.Errorf("%q was read", ranges)
		}
	}
}

func TestAnAdvisoryIsFoundForTheVersionInItsRangeOnly(t *testing.T) {
	database, bill := t.TempDir(), filepath.Join(t.TempDir(), "one.cdx.json")
	write(t, filepath.Join(database, "maven/org.example/thing/CVE-1.yml"), "identifier: CVE-1\ntitle: It breaks.\naffected_range: \"[1.0,1.5)\"\ncvss_v3: \"CVSS:3.1/AV:N\"\n")
	write(t, filepath.Join(database, "maven/org.example/thing/CVE-2.yml"), "identifier: CVE-2\ntitle: It broke\naffected_range: \"(,1.0)\"\n")
	write(t, bill, `{"components":[{"group":"org.example","name":"thing","version":"1.4","purl":"pkg:maven/org.example/thing@1.4?type=jar"},
		{"group":"io.phasewise","name":"phasewise-common","version":"1","purl":"pkg:maven/io.phasewise/phasewise-common@1"}]}`)
	components, err := read(bill)
	if err != nil || len(components) != 1 {
		t.Fatalf("components %v, %v", components, err)
	}
	known, hits, err := lookUp(database, components[0])
	if err != nil || known != 2 || len(hits) != 1 || hits[0].Identifier != "CVE-1" {
		t.Errorf("known %d, hits %v, %v", known, hits, err)
	}
	if said := said(hits); !strings.Contains(said, "It breaks. CVSS:3.1/AV:N. Affected: `[1.0,1.5)`") {
		t.Errorf("said %q", said)
	}
}

func TestABillWithoutComponentsIsRefused(t *testing.T) {
	bill := filepath.Join(t.TempDir(), "empty.cdx.json")
	write(t, bill, `{"components":[]}`)
	if _, err := read(bill); err == nil {
		t.Error("read")
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
