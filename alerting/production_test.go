// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package alerting

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prometheus/alertmanager/config"
	"github.com/prometheus/alertmanager/notify"
	"github.com/prometheus/alertmanager/notify/pagerduty"
	"github.com/prometheus/alertmanager/notify/slack"
	"github.com/prometheus/alertmanager/template"
	"github.com/prometheus/alertmanager/types"
	"github.com/prometheus/common/model"
)

// What production.yml leaves out, Alertmanager fills with texts of its own, which have no bound. So what is sent is tested as it arrives.

// production is the configuration as Alertmanager loads it.
func production(t *testing.T) *config.Config {
	t.Helper()
	loaded, err := config.LoadFile("production.yml")
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

// outage is a group of alerts that is long in every way: many, some are over, and all have long labels in common.
func outage() []*types.Alert {
	var alerts []*types.Alert
	for i := range 600 {
		a := leaderBad(fmt.Sprint(i), i >= 300)
		for name := range 20 {
			a.Labels[model.LabelName(fmt.Sprint("common_", name))] = model.LabelValue(strings.Repeat("long <ä> ", 150))
		}
		alerts = append(alerts, a)
	}
	return alerts
}

// received is the body that a service gets when the notifier tells it of the alerts.
func received(t *testing.T, alerts []*types.Alert, create func(service *url.URL, address string, tmpl *template.Template) (notify.Notifier, error)) []byte {
	t.Helper()
	var body []byte
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ = io.ReadAll(r.Body)
		fmt.Fprint(w, "ok")
	}))
	defer service.Close()
	at, err := url.Parse(service.URL)
	if err != nil {
		t.Fatal(err)
	}
	// A file with one line: the address, which serves as a key where a key is asked for.
	address := filepath.Join(t.TempDir(), "address")
	if err := os.WriteFile(address, []byte(service.URL), 0o600); err != nil {
		t.Fatal(err)
	}
	tmpl, err := template.FromGlobs([]string{"templates/*.tmpl"})
	if err != nil {
		t.Fatal(err)
	}
	tmpl.ExternalURL = &url.URL{Scheme: "http", Host: "am"}
	notifier, err := create(at, address, tmpl)
	if err != nil {
		t.Fatal(err)
	}
	ctx := notify.WithGroupLabels(notify.WithReceiverName(notify.WithGroupKey(context.Background(), "prod"), "pager"), set(ofGroup))
	if _, err := notifier.Notify(ctx, alerts...); err != nil {
		t.Fatal(err)
	}
	return body
}

// PagerDuty takes 512 kB; of more than that Alertmanager removes every detail, the text with them.
func TestThePagersTextArrivesHoweverManyAlertsFire(t *testing.T) {
	tested := 0
	for _, receiver := range production(t).Receivers {
		for _, pager := range receiver.PagerdutyConfigs {
			tested++
			body := received(t, outage(), func(service *url.URL, address string, tmpl *template.Template) (notify.Notifier, error) {
				pager.URL, pager.RoutingKeyFile = &config.URL{URL: service}, address
				return pagerduty.New(pager, tmpl, slog.New(slog.DiscardHandler))
			})
			var event struct {
				Payload struct {
					Summary string         `json:"summary"`
					Details map[string]any `json:"custom_details"`
				} `json:"payload"`
			}
			if err := json.Unmarshal(body, &event); err != nil {
				t.Fatal(err)
			}
			if text, _ := event.Payload.Details["text"].(string); !strings.Contains(text, "Next step: See why.") || !strings.Contains(event.Payload.Summary, "300 firing, 300 resolved") {
				t.Errorf("%s: the text did not arrive: %q, details of %d bytes: %.200v", receiver.Name, event.Payload.Summary, len(body), event.Payload.Details)
			}
			if len(body) > 256_000 {
				t.Errorf("%s: an event has %d bytes", receiver.Name, len(body))
			}
		}
	}
	if tested != 2 {
		t.Errorf("%d pagers", tested)
	}
}

func TestEveryFieldOfAMessageToSlackHasABound(t *testing.T) {
	toSlack(t, outage(), func(receiver string, attachment map[string]any) {
		for field, value := range attachment {
			bound := texts["link"]
			if field == "text" {
				bound = texts["slack"]
			}
			if text, is := value.(string); is && len([]rune(text)) > bound {
				t.Errorf("%s: %s has %d characters: %.200q", receiver, field, len([]rune(text)), text)
			}
		}
		if title := attachment["title"]; attachment["fallback"] != title {
			t.Errorf("%s: what a phone shows is not the title %q: %.300q", receiver, title, attachment["fallback"])
		}
	})
}

// Slack's own documents escape text everywhere; whether it acts on these characters in a title or a fallback they do not say. So no field has them.
func TestALabelCallsNobodyByAnyFieldOfAMessageToSlack(t *testing.T) {
	calling := leaderBad("<!channel>", false)
	calling.Labels["severity"] = "<!here>"
	nameless := alert(map[string]string{"alertname": "<!channel>", "pod": "<http://evil.test|Runbook>"}, nil, false)
	for name, alerts := range map[string][]*types.Alert{
		"firing":  {calling},
		"over":    {leaderBad("<!channel>", true)},
		"several": {calling, leaderBad("<!everyone>", true)},
		"others'": {nameless},
	} {
		toSlack(t, alerts, func(receiver string, attachment map[string]any) {
			for field, value := range attachment {
				if text, is := value.(string); is && (strings.Contains(text, "<!") || strings.Contains(text, "<http://evil.test")) {
					t.Errorf("%s, %s: %s calls somebody: %q", name, receiver, field, text)
				}
			}
		})
	}
}

// toSlack has what each receiver's message to Slack is about the alerts.
func toSlack(t *testing.T, alerts []*types.Alert, look func(receiver string, attachment map[string]any)) {
	t.Helper()
	tested := 0
	for _, receiver := range production(t).Receivers {
		for _, chat := range receiver.SlackConfigs {
			tested++
			body := received(t, alerts, func(_ *url.URL, address string, tmpl *template.Template) (notify.Notifier, error) {
				chat.APIURL, chat.APIURLFile = nil, address
				return slack.New(chat, tmpl, slog.New(slog.DiscardHandler))
			})
			var message struct {
				Attachments []map[string]any `json:"attachments"`
			}
			if err := json.Unmarshal(body, &message); err != nil || len(message.Attachments) != 1 {
				t.Fatalf("%v, %d attachments", err, len(message.Attachments))
			}
			look(receiver.Name, message.Attachments[0])
		}
	}
	if tested != 3 {
		t.Errorf("%d receivers in Slack", tested)
	}
}
