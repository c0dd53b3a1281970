// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package deploy

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

type workflow struct {
	Permissions map[string]string `json:"permissions"`
	Jobs        map[string]struct {
		Timeout int    `json:"timeout-minutes"`
		Uses    string `json:"uses"`
		Steps   []step `json:"steps"`
	} `json:"jobs"`
}

type step struct {
	Uses string         `json:"uses"`
	Run  string         `json:"run"`
	With map[string]any `json:"with"`
}

func workflows(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, pattern := range []string{"*.yml", "*.yaml"} {
		files, err := filepath.Glob(filepath.Join("../.github/workflows", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			all[file] = string(text)
		}
	}
	if len(all) < 2 {
		t.Fatalf("%d workflows; test and release are two", len(all))
	}
	return all
}

// A tag or a branch of somebody else's can be moved; a commit cannot.
func TestEveryActionIsPinnedByItsCommit(t *testing.T) {
	uses := regexp.MustCompile(`(?m)^\s*(?:-\s+)?['"]?uses['"]?\s*:\s*(.*)$`)
	pinned := regexp.MustCompile(`^[A-Za-z0-9-]+/[A-Za-z0-9_./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	found := 0
	for file, text := range workflows(t) {
		for _, each := range uses.FindAllStringSubmatch(text, -1) {
			found++
			if !pinned.MatchString(each[1]) {
				t.Errorf("%s: uses: %s; wanted: OWNER/ACTION@COMMIT # vRELEASE, with all 40 digits", file, each[1])
			}
		}
		var parsed workflow
		if err := yaml.Unmarshal([]byte(text), &parsed); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, job := range parsed.Jobs {
			for _, each := range job.Steps {
				if each.Uses != "" {
					found--
				}
			}
			if job.Uses != "" {
				found--
			}
		}
	}
	if found != 0 {
		t.Errorf("%d more lines with uses: than the workflows use: this test reads them in another way than GitHub", found)
	}
}

func TestOneReleaseOfAnActionIsOneCommit(t *testing.T) {
	uses := regexp.MustCompile(`uses: (\S+)@([0-9a-f]{40}) # (\S+)`)
	commits := map[string]string{}
	for file, text := range workflows(t) {
		for _, each := range uses.FindAllStringSubmatch(text, -1) {
			at := each[2] + " " + each[3]
			if before, is := commits[each[1]]; is && before != at {
				t.Errorf("%s: %s is %s here and %s elsewhere", file, each[1], at, before)
			}
			commits[each[1]] = at
		}
	}
	if len(commits) == 0 {
		t.Error("no action was found")
	}
}

// What a stranger writes into a title or a branch's name must not become a command, and no job may do more than it needs.
func TestWorkflowsGiveStrangersNothing(t *testing.T) {
	for file, text := range workflows(t) {
		var parsed workflow
		if err := yaml.Unmarshal([]byte(text), &parsed); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if len(parsed.Permissions) != 1 || parsed.Permissions["contents"] != "read" {
			t.Errorf("%s: permissions are %v; wanted: contents: read, and more only in a job", file, parsed.Permissions)
		}
		if strings.Contains(text, "pull_request_target") {
			t.Errorf("%s: pull_request_target runs a stranger's code with the repository's rights", file)
		}
		for name, job := range parsed.Jobs {
			if job.Timeout == 0 {
				t.Errorf("%s: job %s has no timeout-minutes", file, name)
			}
			for _, each := range job.Steps {
				if strings.Contains(each.Run, "${{") {
					t.Errorf("%s: job %s has ${{ }} in a command; give it by the environment: %s", file, name, each.Run)
				}
				if strings.HasPrefix(each.Uses, "actions/checkout@") && each.With["persist-credentials"] != false {
					t.Errorf("%s: job %s leaves its token in the checkout: persist-credentials: false", file, name)
				}
			}
		}
	}
}

// GitHub ignores a form that it cannot read, without a word.
func TestFormsAndUpdatesAreWhatGitHubReads(t *testing.T) {
	var forms int
	files, err := filepath.Glob("../.github/ISSUE_TEMPLATE/*.yml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if filepath.Base(file) == "config.yml" {
			continue
		}
		forms++
		var form struct {
			Name, Description string
			Body              []struct {
				Type, ID   string
				Attributes struct{ Label, Value string }
			}
		}
		decode(t, file, &form)
		if form.Name == "" || form.Description == "" || len(form.Body) == 0 {
			t.Errorf("%s lacks name, description or body", file)
		}
		seen := map[string]bool{}
		for _, each := range form.Body {
			switch each.Type {
			case "markdown":
				if each.Attributes.Value == "" {
					t.Errorf("%s: a markdown without a value", file)
				}
			case "input", "textarea", "dropdown", "checkboxes":
				if each.ID == "" || each.Attributes.Label == "" || seen[each.ID] {
					t.Errorf("%s: %s '%s' needs an id of its own and a label", file, each.Type, each.ID)
				}
				seen[each.ID] = true
			default:
				t.Errorf("%s: no such type: %s", file, each.Type)
			}
		}
	}
	if forms == 0 {
		t.Error("no form was found")
	}

	var updates struct {
		Version int
		Updates []struct {
			Ecosystem   string   `json:"package-ecosystem"`
			Directory   string   `json:"directory"`
			Directories []string `json:"directories"`
		}
	}
	decode(t, "../.github/dependabot.yml", &updates)
	if updates.Version != 2 {
		t.Errorf("dependabot.yml has version %d", updates.Version)
	}
	manifest := map[string]string{"gomod": "go.mod", "maven": "pom.xml", "docker-compose": "docker-compose.yml", "github-actions": ".github/workflows"}
	for _, each := range updates.Updates {
		for _, directory := range append(each.Directories, each.Directory) {
			if directory == "" {
				continue
			}
			if _, err := os.Stat(filepath.Join("..", directory, manifest[each.Ecosystem])); err != nil {
				t.Errorf("dependabot.yml: %s has nothing for %s", directory, each.Ecosystem)
			}
		}
	}
}

// The mixin names each file, as jsonnet cannot list a directory.
func TestTheMixinHasEveryRuleAndDashboard(t *testing.T) {
	text, err := os.ReadFile("mixin/mixin.libsonnet")
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	for _, pattern := range []string{"../prometheus/rules/*.yml", "../prometheus/rules/*/*.yml", "../dashboards/generated/*.json"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files += len(found)
		for _, each := range found {
			if !strings.Contains(string(text), "'../"+each+"'") {
				t.Errorf("mixin.libsonnet lacks %s", each)
			}
		}
	}
	for _, each := range regexp.MustCompile(`'\.\./(\.\./[^']+)'`).FindAllStringSubmatch(string(text), -1) {
		files--
		if _, err := os.Stat(each[1]); err != nil {
			t.Errorf("mixin.libsonnet names what is not there: %s", each[1])
		}
	}
	if files != 0 {
		t.Errorf("mixin.libsonnet names %d files fewer than there are", files)
	}
}

func TestTextsForOtherSitesAreWhatTheyRead(t *testing.T) {
	var hub struct {
		RepositoryID *string `json:"repositoryID"`
		Owners       []struct{ Name, Email string }
	}
	decode(t, "publish/artifacthub-repo.yml", &hub)
	if hub.RepositoryID == nil {
		t.Error("artifacthub-repo.yml has no repositoryID")
	}
	text, err := os.ReadFile("publish/mixins.json")
	if err != nil {
		t.Fatal(err)
	}
	var mixin struct{ Name, Source, Subdir, Description string }
	if err := json.Unmarshal(text, &mixin); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join("..", mixin.Subdir, "mixin.libsonnet")); err != nil {
		t.Errorf("the list of mixins would build %s: %v", mixin.Subdir, err)
	}
}

func decode(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}
