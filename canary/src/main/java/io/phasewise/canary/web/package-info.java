/** What the canary shows over HTTP: metrics, health, readiness, status. */
package io.phasewise.canary.web;
