// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package deploy

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The version is written in pom.xml. Whatever else writes it says the same: a release replaces it everywhere at once. Not looked at are pages about releases,
// which have versions of their own, and the chart's tests, which give tags.
func TestEveryFileSaysTheVersionOfThePom(t *testing.T) {
	const ofThePom = `<artifactId>phasewise</artifactId>\s*<version>(.+)</version>`
	version := find(t, read(t, "../pom.xml"), ofThePom)
	says := map[string]*regexp.Regexp{
		"a module's parent": regexp.MustCompile(ofThePom),
		"an image":          regexp.MustCompile(`phasewise/(?:canary|exporter|kafka|receiver|tools|exporter-agent):([\w.~-]*\w)`),
		"a tag":             regexp.MustCompile(`newTag: (\w\S+)`),
		"the chart":         regexp.MustCompile(`(?m)^(?:version|appVersion): (.+)$`),
		"its file":          regexp.MustCompile(`phasewise-([\w.~-]+)\.tgz`),
		"a package":         regexp.MustCompile(`phasewise-(?:canary|exporter)_([\w.~-]+)_all\.deb`),
	}
	seen := map[string]int{}
	err := filepath.WalkDir("..", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if name == "target" || name == "release" || name != ".." && strings.HasPrefix(name, ".") {
				return filepath.SkipDir
			}
			return nil
		}
		if !slices.Contains([]string{".xml", ".yml", ".yaml", ".md", ".go", ""}, filepath.Ext(name)) ||
			slices.Contains([]string{"version_test.go", "features_test.go", "release.md", "publish.md"}, name) {
			return nil
		}
		content, err := os.ReadFile(file)
		for what, pattern := range says {
			for _, found := range pattern.FindAllStringSubmatch(string(content), -1) {
				seen[what]++
				if strings.ReplaceAll(found[1], "~", "-") != version {
					t.Errorf("%s: the version of %s is %s, but pom.xml says %s", file, what, found[1], version)
				}
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for what := range says {
		if seen[what] == 0 {
			t.Errorf("%s: no file names any, so that this test sees nothing", what)
		}
	}
	if heading := "\n## " + strings.TrimSuffix(version, "-SNAPSHOT") + ", unreleased\n"; !strings.Contains(read(t, "../CHANGELOG.md"), heading) {
		t.Errorf("CHANGELOG.md has no heading %q", heading)
	}
}
