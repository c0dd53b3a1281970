/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** What the canary shows over HTTP: metrics, health, readiness, status, suspects, and the page. */
package io.phasewise.canary.show.web;
