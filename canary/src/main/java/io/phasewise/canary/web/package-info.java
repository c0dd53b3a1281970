/** What the canary shows over HTTP: metrics, health, readiness, status, and the page. */
package io.phasewise.canary.web;
