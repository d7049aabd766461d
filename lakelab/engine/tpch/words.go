package tpch

import (
	"strconv"
	"strings"
)

// weighted reads `word*3, another`: words with their weights, 1 if there is none. A word stands in the list as often as it weighs, so that
// drawing a place draws by weight.
func weighted(text string) []string {
	var out []string
	for _, entry := range strings.Split(text, ", ") {
		word, weight, _ := strings.Cut(entry, "*")
		n, err := strconv.Atoi(weight)
		if err != nil {
			n = 1
		}
		for range n {
			out = append(out, word)
		}
	}
	return out
}

// crossed joins each word of a list with each of the next.
func crossed(lists ...string) []string {
	out := []string{""}
	for _, l := range lists {
		var longer []string
		for _, a := range out {
			for _, b := range strings.Split(l, ", ") {
				longer = append(longer, strings.TrimSpace(a+" "+b))
			}
		}
		out = longer
	}
	return out
}

// The words of clause 4.2.2.13, in dbgen's order.
var (
	segments     = weighted("AUTOMOBILE, BUILDING, FURNITURE, HOUSEHOLD, MACHINERY")
	priorities   = weighted("1-URGENT, 2-HIGH, 3-MEDIUM, 4-NOT SPECIFIED, 5-LOW")
	instructions = weighted("DELIVER IN PERSON, COLLECT COD, TAKE BACK RETURN, NONE")
	modes        = weighted("REG AIR, AIR, RAIL, TRUCK, MAIL, FOB, SHIP")
	returned     = weighted("R, A")
	containers   = crossed("SM, LG, MED, JUMBO, WRAP", "CASE, BOX, BAG, JAR, PACK, PKG, CAN, DRUM")
	partTypes    = crossed("STANDARD, SMALL, MEDIUM, LARGE, ECONOMY, PROMO", "ANODIZED, BURNISHED, PLATED, POLISHED, BRUSHED", "TIN, NICKEL, BRASS, STEEL, COPPER")
	colors       = weighted("almond, antique, aquamarine, azure, beige, bisque, black, blanched, blue, blush, brown, burlywood, burnished, chartreuse, chiffon, chocolate, " +
		"coral, cornflower, cornsilk, cream, cyan, dark, deep, dim, dodger, drab, firebrick, floral, forest, frosted, gainsboro, ghost, goldenrod, green, grey, honeydew, " +
		"hot, indian, ivory, khaki, lace, lavender, lawn, lemon, light, lime, linen, magenta, maroon, medium, metallic, midnight, mint, misty, moccasin, navajo, navy, olive, " +
		"orange, orchid, pale, papaya, peach, peru, pink, plum, powder, puff, purple, red, rose, rosy, royal, saddle, salmon, sandy, seashell, sienna, sky, slate, smoke, " +
		"snow, spring, steel, tan, thistle, tomato, turquoise, violet, wheat, white, yellow")
	regionNames = weighted("AFRICA, AMERICA, ASIA, EUROPE, MIDDLE EAST")
	// Each nation with its region.
	nationNames = []struct {
		name   string
		region int
	}{{"ALGERIA", 0}, {"ARGENTINA", 1}, {"BRAZIL", 1}, {"CANADA", 1}, {"EGYPT", 4}, {"ETHIOPIA", 0}, {"FRANCE", 3}, {"GERMANY", 3}, {"INDIA", 2}, {"INDONESIA", 2},
		{"IRAN", 4}, {"IRAQ", 4}, {"JAPAN", 2}, {"JORDAN", 4}, {"KENYA", 0}, {"MOROCCO", 0}, {"MOZAMBIQUE", 0}, {"PERU", 1}, {"CHINA", 2}, {"ROMANIA", 3},
		{"SAUDI ARABIA", 4}, {"VIETNAM", 2}, {"RUSSIA", 3}, {"UNITED KINGDOM", 3}, {"UNITED STATES", 1}}
)

// The grammar and the words of the text, clause 4.2.2.14, with dbgen's weights. Phrases: N noun, V verb, P preposition, T end, J adjective,
// D adverb, X auxiliary, ; a comma behind the word before it.
var (
	sentences   = weighted("NVT*3, NVPT*3, NVNT*3, NPVNT, NPVPT")
	nounPhrases = weighted("N*10, JN*20, J;JN*10, DJN*50")
	verbPhrases = weighted("V*30, XV, VD*40, XVD")
	nouns       = weighted("packages*40, requests*40, accounts*40, deposits*40, foxes*20, ideas*20, theodolites*20, pinto beans*20, instructions*20, dependencies*10, excuses*10, " +
		"platelets*10, asymptotes*10, courts*5, dolphins*5, multipliers, sauternes, warthogs, frets, dinos, attainments, somas, Tiresias, patterns, forges, braids, frays, " +
		"warhorses, dugouts, notornis, epitaphs, pearls, tithes, waters, orbits, gifts, sheaves, depths, sentiments, decoys, realms, pains, grouches, escapades, hockey players")
	verbs = weighted("sleep*20, wake*20, are*20, cajole*20, haggle*20, nag*10, use*10, boost*10, affix*5, detect*5, integrate*5, maintain, nod, was, lose, sublate, solve, thrash, " +
		"promise, engage, hinder, print, x-ray, breach, eat, grow, impress, mold, poach, serve, run, dazzle, snooze, doze, unwind, kindle, play, hang, believe, doubt")
	adjectives = weighted("special*20, pending*20, unusual*20, express*20, furious, sly, careful, blithe, quick, fluffy, slow, quiet, ruthless, thin, close, dogged, daring, brave, " +
		"stealthy, permanent, enticing, idle, busy, regular*50, final*40, ironic*40, even*30, bold*20, silent*10")
	adverbs = weighted("sometimes, always, never, furiously*50, slyly*50, carefully*50, blithely*40, quickly*30, fluffily*20, slowly, quietly, ruthlessly, thinly, closely, doggedly, " +
		"daringly, bravely, stealthily, permanently, enticingly, idly, busily, regularly, finally, ironically, evenly, boldly, silently")
	prepositions = weighted("about*50, above*50, according to*50, across*50, after*50, against*40, along*40, alongside of*30, among*30, around*20, at*10, atop, before, behind, beneath, " +
		"beside, besides, between, beyond, by, despite, during, except, for, from, in place of, inside, instead of, into, near, of, on, outside, over, past, since, through, " +
		"throughout, to, toward, under, until, up, upon, whithout, with, within")
	auxiliaries = weighted("do, may, might, shall, will, would, can, could, should, ought to, must, will have to, shall have to, could have to, should have to, must have to, need to, try to")
	terminators = weighted(".*50, ;, :, ?, !, --")
)
