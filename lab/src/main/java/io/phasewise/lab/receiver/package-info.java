/**
 * The local stand-in for a pager: takes Alertmanager's webhook calls and shows them to the person
 * at the terminal and in a browser.
 */
package io.phasewise.lab.receiver;
